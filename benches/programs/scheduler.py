# A task scheduler: tasks of several classes with a virtual `run`, in priority queues, passing messages to each other.
# Attribute loads and stores, method calls, instances made and dropped.


class Message:
    def __init__(self, sender, value):
        self.sender = sender
        self.value = value
        self.next = None


class Task:
    def __init__(self, name, priority):
        self.name = name
        self.priority = priority
        self.inbox = None
        self.waiting = False
        self.runs = 0
        self.check = 0

    def post(self, message):
        message.next = self.inbox
        self.inbox = message
        self.waiting = False

    def take(self):
        message = self.inbox
        if message is not None:
            self.inbox = message.next
        return message

    def run(self, scheduler):
        self.waiting = True

    def step(self, scheduler):
        self.runs += 1
        self.run(scheduler)


class Producer(Task):
    def __init__(self, name, priority, target):
        super().__init__(name, priority)
        self.target = target
        self.seed = 1

    def run(self, scheduler):
        self.seed = (self.seed * 1103515245 + 12345) % 2147483648
        scheduler.send(self.target, Message(self, self.seed % 1000))
        if self.runs % 5 == 0:
            self.waiting = True
            scheduler.sleepers.append(self)


class Relay(Task):
    def __init__(self, name, priority, targets):
        super().__init__(name, priority)
        self.targets = targets

    def choose(self, value):
        return self.targets[value % len(self.targets)]

    def run(self, scheduler):
        message = self.take()
        if message is None:
            self.waiting = True
            return
        self.check = (self.check + message.value) % 65521
        scheduler.send(self.choose(message.value), Message(self, message.value + 1))


class Doubling(Relay):
    def choose(self, value):
        return self.targets[value * 2 % len(self.targets)]


class Consumer(Task):
    def weigh(self, value):
        return value

    def run(self, scheduler):
        message = self.take()
        while message is not None:
            self.check = (self.check * 31 + self.weigh(message.value)) % 65521
            message = self.take()
        self.waiting = True


class Squaring(Consumer):
    def weigh(self, value):
        return value * value


class Queue:
    def __init__(self, level):
        self.level = level
        self.tasks = []
        self.index = 0

    def add(self, task):
        self.tasks.append(task)

    def next_ready(self):
        tasks = self.tasks
        for _ in range(len(tasks)):
            task = tasks[self.index]
            self.index += 1
            if self.index == len(tasks):
                self.index = 0
            if not task.waiting:
                return task
        return None


class Scheduler:
    def __init__(self, levels):
        self.queues = [Queue(level) for level in range(levels)]
        self.sleepers = []
        self.sent = 0
        self.idle = 0

    def add(self, task):
        self.queues[task.priority].add(task)
        return task

    def send(self, target, message):
        self.sent += 1
        target.post(message)

    def pick(self):
        for queue in self.queues:
            task = queue.next_ready()
            if task is not None:
                return task
        return None

    def wake(self):
        self.idle += 1
        for task in self.sleepers:
            task.waiting = False
        self.sleepers = []

    def loop(self, steps):
        for _ in range(steps):
            task = self.pick()
            if task is None:
                self.wake()
            else:
                task.step(self)


def run(steps):
    scheduler = Scheduler(3)
    sinks = [scheduler.add(Consumer("consumer", 0)), scheduler.add(Squaring("squaring", 0))]
    sinks.append(scheduler.add(Consumer("another consumer", 0)))
    plain = scheduler.add(Relay("relay", 1, sinks))
    doubling = scheduler.add(Doubling("doubling", 1, [plain, *sinks]))
    scheduler.add(Producer("producer", 2, plain))
    scheduler.add(Producer("second producer", 2, doubling))
    scheduler.loop(steps)
    check = 0
    for queue in scheduler.queues:
        for task in queue.tasks:
            check = (check * 7 + task.check + task.runs) % 1000003
    return check, scheduler.sent, scheduler.idle


if __name__ == "__main__":
    import sys
    import time

    n = 300
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = run(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
