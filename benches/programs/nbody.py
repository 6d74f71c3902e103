# N-body: the Sun and four planets, a symplectic step of fixed size. Float arithmetic on short lists.
# Lengths in astronomical units, times in years; the check value is the energy in units of 1e-9, so that the
# last bit of the C library's pow does not show.

PI = 3.141592653589793
SOLAR_MASS = 4 * PI * PI
DAYS = 365.24


def make_bodies():
    sun = ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], SOLAR_MASS)
    jupiter = (
        [4.84143144246472090, -1.16032004402742839, -0.103622044471123109],
        [0.00166007664274403694 * DAYS, 0.00769901118419740425 * DAYS, -0.0000690460016972063023 * DAYS],
        0.000954791938424326609 * SOLAR_MASS,
    )
    saturn = (
        [8.34336671824457987, 4.12479856412430479, -0.403523417114321381],
        [-0.00276742510726411 * DAYS, 0.00499852801234917238 * DAYS, 0.0000230417297573763929 * DAYS],
        0.000285885980666130812 * SOLAR_MASS,
    )
    uranus = (
        [12.8943695621391310, -15.1111514016986312, -0.223307578892655734],
        [0.00296460137564761618 * DAYS, 0.00237847173959480950 * DAYS, -0.0000296589568540237556 * DAYS],
        0.0000436624404335156298 * SOLAR_MASS,
    )
    neptune = (
        [15.3796971148509165, -25.9193146099879641, 0.179258772950371181],
        [0.00268067772490389322 * DAYS, 0.00162824170038242295 * DAYS, -0.0000951592254519715870 * DAYS],
        0.0000515138902046611451 * SOLAR_MASS,
    )
    return [sun, jupiter, saturn, uranus, neptune]


def make_pairs(bodies):
    pairs = []
    count = len(bodies)
    for i in range(count):
        for j in range(i + 1, count):
            pairs.append((bodies[i], bodies[j]))
    return pairs


def offset_momentum(bodies):
    px = 0.0
    py = 0.0
    pz = 0.0
    for position, velocity, mass in bodies:
        px += velocity[0] * mass
        py += velocity[1] * mass
        pz += velocity[2] * mass
    position, velocity, mass = bodies[0]
    velocity[0] = -px / mass
    velocity[1] = -py / mass
    velocity[2] = -pz / mass


def advance(bodies, pairs, dt, steps):
    for step in range(steps):
        for first, second in pairs:
            p1, v1, m1 = first
            p2, v2, m2 = second
            dx = p1[0] - p2[0]
            dy = p1[1] - p2[1]
            dz = p1[2] - p2[2]
            mag = dt * (dx * dx + dy * dy + dz * dz) ** -1.5
            b1 = m1 * mag
            b2 = m2 * mag
            v1[0] -= dx * b2
            v1[1] -= dy * b2
            v1[2] -= dz * b2
            v2[0] += dx * b1
            v2[1] += dy * b1
            v2[2] += dz * b1
        for position, velocity, mass in bodies:
            position[0] += dt * velocity[0]
            position[1] += dt * velocity[1]
            position[2] += dt * velocity[2]


def energy(bodies, pairs):
    total = 0.0
    for position, velocity, mass in bodies:
        vx, vy, vz = velocity
        total += 0.5 * mass * (vx * vx + vy * vy + vz * vz)
    for first, second in pairs:
        p1, v1, m1 = first
        p2, v2, m2 = second
        dx = p1[0] - p2[0]
        dy = p1[1] - p2[1]
        dz = p1[2] - p2[2]
        total -= m1 * m2 / (dx * dx + dy * dy + dz * dz) ** 0.5
    return total


def simulate(steps):
    bodies = make_bodies()
    pairs = make_pairs(bodies)
    offset_momentum(bodies)
    advance(bodies, pairs, 0.01, steps)
    return int(energy(bodies, pairs) * 1000000000.0)


if __name__ == "__main__":
    import sys
    import time

    n = 100
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = simulate(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
