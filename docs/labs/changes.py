class Account:
    rate = 2

    def __init__(self, balance):
        self.balance = balance

    def interest(self):
        return self.balance * self.rate


def total(accounts):
    result = 0
    for account in accounts:
        result += account.interest()
    return result


def fee(amount, part=1):
    return amount - part


def charge(amount):
    return fee(amount)


accounts = [Account(n) for n in range(2)]
total(accounts)
charge(10)
charge(10)

# A class attribute is assigned: a new version of the class.
Account.rate = 3
total(accounts)

# One instance gets an attribute that hides its class's.
accounts[0].rate = 5
total(accounts)

# One number is a float.
accounts[1].balance = 2.5
total(accounts)

# An instance's dict is assigned.
accounts[1].__dict__ = {"balance": 1}
total(accounts)

# The default of a parameter changes: the function has no version any more.
fee.__defaults__ = (2,)
for _ in range(55):
    charge(10)
