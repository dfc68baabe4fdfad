# The classes that DDNet's datatypes.py has for network.py, with the values that they keep; written for the tests.


class Enum:
    def __init__(self, name, values, start=0):
        self.name, self.values, self.start = name, values, start


class Flags:
    def __init__(self, name, values):
        self.name, self.values = name, values


class NetObject:
    def __init__(self, name, variables, ex=None, validate_size=True):
        self.name, _, base = name.partition(":")
        self.base = base or None
        self.variables, self.ex = variables, ex


class NetEvent(NetObject):
    pass


class NetMessage(NetObject):
    pass


class NetObjectEx(NetObject):
    def __init__(self, name, ex, variables, validate_size=True):
        NetObject.__init__(self, name, variables, ex=ex)


class NetEventEx(NetEvent):
    def __init__(self, name, ex, variables):
        NetEvent.__init__(self, name, variables, ex=ex)


class NetMessageEx(NetMessage):
    def __init__(self, name, ex, variables):
        NetMessage.__init__(self, name, variables, ex=ex)


class NetVariable:
    def __init__(self, name, *, default=None):
        self.name = name
        self.default = None if default is None else str(default)


class NetString(NetVariable):
    pass


class NetStringHalfStrict(NetVariable):
    pass


class NetStringStrict(NetVariable):
    pass


class NetIntAny(NetVariable):
    pass


class NetIntRange(NetIntAny):
    def __init__(self, name, min_val, max_val, *, default=None):
        NetIntAny.__init__(self, name, default=default)
        self.min, self.max = str(min_val), str(max_val)


class NetEnum(NetIntRange):
    def __init__(self, name, enum):
        NetIntRange.__init__(self, name, 0, len(enum.values) - 1)


class NetFlag(NetIntAny):
    def __init__(self, name, flag):
        NetIntAny.__init__(self, name)


class NetBool(NetIntRange):
    def __init__(self, name, *, default=None):
        NetIntRange.__init__(self, name, 0, 1, default=None if default is None else int(default))


class NetTick(NetIntAny):
    pass


class NetTickStrict(NetIntRange):
    def __init__(self, name, *, default=None):
        NetIntRange.__init__(self, name, "MIN_TICK", "MAX_TICK", default=default)


class NetArray(NetVariable):
    def __init__(self, var, size):
        NetVariable.__init__(self, var.name, default=var.default)
        self.var, self.size = var, size
        self.name = f"{var.name}[{size}]"


class NetTwIntString(NetArray):
    def __init__(self, name, size):
        NetArray.__init__(self, NetIntAny(name), size // 4)
