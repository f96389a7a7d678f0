"""Random lines for the workbench, over all of its verbs and operators, and the same lines torn."""

import random

VALUES = {
    "sigma": 3.0,
    "delta": 1e-5,
    "k": 40.0,
    "epsilon": 0.5,
    "q": 0.01,
    "rho": 0.02,
    "alpha": 8.0,
    "mu": 0.7,
    "share": 0.3,
    "scale": 2.0,
    "steps": 100.0,
}
FIT = {"epsilon_0": "epsilon", "epsilon_bar": "rho", "slack": "delta", "size": "3", "p": "0.75", "tau": "mu"}
FIT |= {"sensitivity": "2", "budgets": "mu", "prior_odds": "3", "type_one_error": "share", "n": "1000", "d": "10"}
FIT |= {"lambda_": "4", "log_moment": "rho", "probability": "delta", "hits": "700", "trials": "1000"}
FIT |= {"detections": "700", "alarms": "30", "confidence": "0.95"}
ONE = ("np.sqrt", "np.exp", "np.log", "np.log1p", "np.expm1", "np.tanh", "np.floor", "np.ceil", "np.square", "np.abs")
TWO = ("np.minimum", "np.maximum", "np.logaddexp", "min", "max")
TORN = [
    *"()[]{}.,:;=+-*/%<>!&|^~@#$?'\"\\`_ \t0a9é",
    "**",
    "//",
    "lambda",
    " if ",
    " else ",
    " for k in range(9)",
    "not ",
]
TORN += [
    "__class__",
    "constructor",
    "__proto__",
    "toString",
    "<img src=x onerror=alert(1)>",
    "</script>",
    "\u202e",
    "\0",
]
TORN += [
    "[0]",
    ".epsilon",
    "zcdp.",
    "np.",
    "1e999",
    "0x1",
    "range(10**9)",
    "*args",
    "True",
    "None",
    "9" * 400,
    "(" * 90,
]


class Lines:
    """`Lines(1, verbs).number(3)` is a random formula; verbs are as `vocabulary` gives them."""

    def __init__(self, seed, verbs):
        self.rng, self.verbs = random.Random(seed), verbs
        self.numbers = [name for name, verb in verbs.items() if not verb["fields"] and self.gives_one(verb)]
        self.pairs = [name for name, verb in verbs.items() if verb["fields"]]
        self.others = [name for name, verb in verbs.items() if not verb["fields"] and not self.gives_one(verb)]

    @staticmethod
    def gives_one(verb):
        return len(next(iter(verb["out"].values()))) == 1

    def number(self, depth):
        if depth <= 0:
            return self.leaf()
        return self.rng.choice(
            [
                self.binary,
                self.binary,
                self.signed,
                self.verb,
                self.verb,
                self.verb,
                self.chosen,
                self.each,
                self.called,
                self.part,
            ]
        )(depth - 1)

    def leaf(self):
        return self.rng.choice([*VALUES, *VALUES, "2", "0.5", "1e-3", "7", "np.pi", ".25", "3."])

    def binary(self, depth):
        sign = self.rng.choice(["+", "-", "*", "/", "**", "//", "%", "+", "*"])
        left, right = (
            self.number(depth),
            self.number(depth) if sign != "**" else self.rng.choice(["2", "-1", "0.5", "share"]),
        )
        return f"{self.maybe(left)} {sign} {self.maybe(right)}"

    def maybe(self, text):
        """Brackets or none: then precedence decides; a choice or a lambda without them would swallow what follows."""
        return text if self.rng.random() < 0.5 and " if " not in text else f"({text})"

    def signed(self, depth):
        return f"{self.rng.choice(['-', '+', '- -'])}{self.maybe(self.number(depth))}"

    def truth(self, depth):
        sign = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        found = f"{self.maybe(self.number(depth))} {sign} {self.maybe(self.number(depth))}"
        if self.rng.random() < 0.3:
            found += f" {self.rng.choice(['<', '>='])} {self.leaf()}"
        if self.rng.random() < 0.2:
            found = f"not {found} {self.rng.choice(['and', 'or'])} {self.leaf()} < {self.leaf()}"
        return found

    def chosen(self, depth):
        a, b, test = self.number(depth), self.number(depth), self.truth(depth - 1)
        return self.rng.choice([f"({a} if {test} else {b})", f"np.where({self.plain(depth)}, {a}, {b})"])

    def plain(self, depth):
        return f"{self.maybe(self.number(depth - 1))} < {self.maybe(self.leaf())}"

    def each(self, depth):
        places = self.rng.choice(["range(2, 9)", "range(4)", "(2, 4, 8)", "[2, 3]", "range(9, 1, -3)"])
        return (
            f"{self.rng.choice(['min', 'max', 'sum'])}({self.number(depth - 1)} + j * {self.leaf()} for j in {places})"
        )

    def called(self, depth):
        if self.rng.random() < 0.5:
            return f"{self.rng.choice(ONE)}({self.number(depth)})"
        return f"{self.rng.choice(TWO)}({self.number(depth)}, {self.number(depth)})"

    def part(self, depth):
        name = self.rng.choice([*self.pairs, *self.pairs, *self.others])
        fields = self.verbs[name]["fields"]
        ends = [f".{field}" for field in fields] + ["[0]", "[1]"]
        return self.call(name, depth) + self.rng.choice(ends)

    def verb(self, depth):
        return self.call(self.rng.choice(self.numbers), depth)

    def call(self, name, depth):
        arguments = self.verbs[name]["arguments"]
        if arguments[0].get("many"):
            count = self.rng.randrange(1, 5)
            return f"{name}({', '.join(self.argument(arguments[0], depth, name) for _ in range(count))})"
        given = [a for a in arguments if "default" not in a or self.rng.random() < 0.5]
        first = self.rng.randrange(len(given) + 1)
        if any(a not in given for a in arguments[: arguments.index(given[-1])]):
            first = 0
        plain = [self.argument(a, depth, name) for a in given[:first]]
        named = [f"{a['name']}={self.argument(a, depth, name)}" for a in given[first:]]
        self.rng.shuffle(named)
        return f"{name}({', '.join([*plain, *named])})"

    def argument(self, argument, depth, name):
        if argument["kind"] == "order":
            return self.rng.choice(["2", "8", "4 * 4", "32"])
        if argument["kind"] == "curve":
            return f"lambda alpha: rdp.{self.rng.choice(['gaussian(alpha, sigma)', 'laplace(alpha, scale) * k'])}"
        if argument["kind"] == "pair":
            if depth > 0 and self.rng.random() < 0.4:
                same = [pair for pair in self.pairs if pair.split(".")[0] == name.split(".")[0]]
                return self.call(self.rng.choice(same), depth - 1)
            return self.rng.choice(["(epsilon, delta)", "(mu, share)", "(0.5, delta * 2)"])
        return self.number(depth - 1) if self.rng.random() < 0.25 else self.fitting(argument["name"])

    def fitting(self, name):
        return FIT.get(name, name if name in VALUES else self.leaf())

    def line(self):
        return self.truth(3) if self.rng.random() < 0.15 else self.number(self.rng.choice([1, 2, 3, 4]))

    def torn(self):
        """A line with something taken away, put in, or moved; some that are nothing but that."""
        text = self.number(self.rng.choice([1, 2]))
        for _ in range(self.rng.choice([1, 1, 2, 4, 12])):
            start = self.rng.randrange(len(text) + 1)
            end = start + self.rng.choice([0, 0, 1, 3])
            text = text[:start] + self.rng.choice([*TORN, "", text[:9]]) + text[end:]
        return text if self.rng.random() < 0.97 else text * 50
