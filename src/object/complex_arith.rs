//! Arithmetic of complex numbers, with C's rules for infinities (`_Py_c_*` of `complexobject.c`).

/// `Py_complex`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex {
    pub real: f64,
    pub imag: f64,
}

impl Complex {
    pub const ZERO: Complex = Complex {
        real: 0.0,
        imag: 0.0,
    };
    pub const ONE: Complex = Complex {
        real: 1.0,
        imag: 0.0,
    };

    const fn is_nan(self) -> bool {
        self.real.is_nan() && self.imag.is_nan()
    }
    const fn is_infinite(self) -> bool {
        self.real.is_infinite() || self.imag.is_infinite()
    }
    const fn is_finite(self) -> bool {
        self.real.is_finite() && self.imag.is_finite()
    }
    /// Infinite parts become one, finite ones zero, signs stay.
    fn boxed(self) -> Complex {
        let part = |part: f64| if part.is_infinite() { 1f64 } else { 0.0 }.copysign(part);
        Complex {
            real: part(self.real),
            imag: part(self.imag),
        }
    }
    /// NaN parts become zero, signs stay.
    fn without_nan(self) -> Complex {
        let part = |part: f64| {
            if part.is_nan() {
                0f64.copysign(part)
            } else {
                part
            }
        };
        Complex {
            real: part(self.real),
            imag: part(self.imag),
        }
    }
}

/// `a * b` (`_Py_c_prod`); an infinite factor makes the product infinite even where its parts cancel out.
pub fn multiply(a: Complex, b: Complex) -> Complex {
    let (ac, bd) = (a.real * b.real, a.imag * b.imag);
    let (ad, bc) = (a.real * b.imag, a.imag * b.real);
    let product = Complex {
        real: ac - bd,
        imag: ad + bc,
    };
    if !product.is_nan() {
        return product;
    }
    let (mut a, mut b, mut recover) = (a, b, false);
    if a.is_infinite() {
        (a, b, recover) = (a.boxed(), b.without_nan(), true);
    }
    if b.is_infinite() {
        (a, b, recover) = (a.without_nan(), b.boxed(), true);
    }
    if !recover && [ac, bd, ad, bc].iter().any(|part| part.is_infinite()) {
        (a, b, recover) = (a.without_nan(), b.without_nan(), true);
    }
    if !recover {
        return product;
    }
    Complex {
        real: f64::INFINITY * (a.real * b.real - a.imag * b.imag),
        imag: f64::INFINITY * (a.real * b.imag + a.imag * b.real),
    }
}

/// `a / b` (`_Py_c_quot`), by Smith's method: everything is scaled by the larger part of the divisor. None for zero.
pub fn divide(a: Complex, b: Complex) -> Option<Complex> {
    let quotient = if b.real.abs() >= b.imag.abs() {
        if b.real == 0.0 {
            return None;
        }
        let ratio = b.imag / b.real;
        let scale = b.real + b.imag * ratio;
        Complex {
            real: (a.real + a.imag * ratio) / scale,
            imag: (a.imag - a.real * ratio) / scale,
        }
    } else if b.imag.abs() >= b.real.abs() {
        let ratio = b.real / b.imag;
        let scale = b.real * ratio + b.imag;
        Complex {
            real: (a.real * ratio + a.imag) / scale,
            imag: (a.imag * ratio - a.real) / scale,
        }
    } else {
        Complex {
            real: f64::NAN,
            imag: f64::NAN,
        }
    };
    if !quotient.is_nan() {
        return Some(quotient);
    }
    Some(if a.is_infinite() && b.is_finite() {
        let a = a.boxed();
        Complex {
            real: f64::INFINITY * (a.real * b.real + a.imag * b.imag),
            imag: f64::INFINITY * (a.imag * b.real - a.real * b.imag),
        }
    } else if b.is_infinite() && a.is_finite() {
        let b = b.boxed();
        Complex {
            real: 0.0 * (a.real * b.real + a.imag * b.imag),
            imag: 0.0 * (a.imag * b.real - a.real * b.imag),
        }
    } else {
        quotient
    })
}

/// `a / b` of a real dividend (`_Py_rc_quot`). None for zero.
pub fn divide_real(a: f64, b: Complex) -> Option<Complex> {
    let quotient = if b.real.abs() >= b.imag.abs() {
        if b.real == 0.0 {
            return None;
        }
        let ratio = b.imag / b.real;
        let scale = b.real + b.imag * ratio;
        Complex {
            real: a / scale,
            imag: (-a * ratio) / scale,
        }
    } else if b.imag.abs() >= b.real.abs() {
        let ratio = b.real / b.imag;
        let scale = b.real * ratio + b.imag;
        Complex {
            real: (a * ratio) / scale,
            imag: -a / scale,
        }
    } else {
        Complex {
            real: f64::NAN,
            imag: f64::NAN,
        }
    };
    if !quotient.is_nan() {
        return Some(quotient);
    }
    Some(if a.is_infinite() && b.is_finite() {
        let sign = 1f64.copysign(a);
        Complex {
            real: f64::INFINITY * (sign * b.real),
            imag: f64::INFINITY * (-sign * b.imag),
        }
    } else if b.is_infinite() && a.is_finite() {
        let b = b.boxed();
        Complex {
            real: 0.0 * (a * b.real),
            imag: 0.0 * (-a * b.imag),
        }
    } else {
        quotient
    })
}

/// Whole exponents up to this are raised by multiplication.
const SMALL_EXPONENT: f64 = 100.0;

/// `a ** b` (`complex_pow`). None for zero to a negative or complex power; infinite parts mean overflow.
pub fn power(a: Complex, b: Complex) -> Option<Complex> {
    if b.imag == 0.0 && b.real == b.real.floor() && b.real.abs() <= SMALL_EXPONENT {
        let value = power_whole(a, b.real.abs() as u32);
        return if b.real > 0.0 {
            Some(value)
        } else {
            divide(Complex::ONE, value)
        };
    }
    if a.real == 0.0 && a.imag == 0.0 {
        return (b.imag == 0.0 && b.real >= 0.0).then_some(Complex::ZERO);
    }
    let length = a.real.hypot(a.imag);
    let angle = a.imag.atan2(a.real);
    let (mut size, mut phase) = (length.powf(b.real), angle * b.real);
    if b.imag != 0.0 {
        size *= (-angle * b.imag).exp();
        phase += b.imag * length.ln();
    }
    Some(Complex {
        real: size * phase.cos(),
        imag: size * phase.sin(),
    })
}
/// `c_powu`: squares and multiplies.
fn power_whole(a: Complex, exponent: u32) -> Complex {
    let (mut result, mut square, mut rest) = (Complex::ONE, a, exponent);
    while rest > 0 {
        if rest & 1 != 0 {
            result = multiply(result, square);
        }
        square = multiply(square, square);
        rest >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn c(real: f64, imag: f64) -> Complex {
        Complex { real, imag }
    }

    #[test]
    fn products_and_quotients() {
        assert_eq!(multiply(c(1.0, 2.0), c(3.0, 4.0)), c(-5.0, 10.0));
        assert_eq!(divide(c(1.0, 2.0), c(3.0, 4.0)), Some(c(0.44, 0.08)));
        assert_eq!(divide_real(1.0, c(3.0, 4.0)), Some(c(0.12, -0.16)));
        assert_eq!(divide(c(1.0, 0.0), c(0.0, 0.0)), None);
    }

    #[test]
    fn infinities_are_recovered() {
        let infinite = multiply(c(f64::INFINITY, f64::NAN), c(1.0, 1.0));
        assert!(infinite.real.is_infinite() && infinite.imag.is_infinite());
        assert_eq!(
            divide(c(1.0, 1.0), c(f64::INFINITY, f64::INFINITY)),
            Some(c(0.0, 0.0))
        );
    }

    #[test]
    fn powers() {
        assert_eq!(power(c(0.0, 1.0), c(2.0, 0.0)), Some(c(-1.0, 0.0)));
        assert_eq!(power(c(2.0, 3.0), c(3.0, 0.0)), Some(c(-46.0, 9.0)));
        assert_eq!(power(c(0.0, 0.0), c(0.0, 0.0)), Some(c(1.0, 0.0)));
        assert_eq!(power(c(0.0, 0.0), c(-1.0, 0.0)), None);
        assert_eq!(power(c(0.0, 0.0), c(0.0, 1.0)), None);
        assert_eq!(power(c(0.0, 0.0), c(200.0, 0.0)), Some(c(0.0, 0.0)));
    }
}
