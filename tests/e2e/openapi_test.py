"""The OpenAPI document is true: what it lists answers as it says, and nothing else answers.

    openapi_test.py PROGRAM
"""

import sys
import unittest
import urllib.parse

import serving

try:
    import jsonschema
except ImportError:
    sys.exit(77)

METHODS = ("get", "post", "put", "patch", "delete")
PAGE = ("/", "/assets/app.js", "/assets/app.css")
# A value for each field by its name.
EXAMPLES = {"user": "u1", "item": "i2", "history": ["i1", "i5"], "weights": [1, 0.5], "k": 3,
            "exclude": ["i7"], "only": ["i8", "i9"], "blend": 0.5, "allow_seen": True, "q": "i1",
            "id": ["i3"], "limit": 7}
TOGETHER_NEVER = {("user", "history"), ("user", "weights"), ("q", "id")}


def example(schema, name=""):
    """An object with every property that goes with the others."""
    if schema.get("type") == "object":
        made = {}
        for key, value in schema["properties"].items():
            if not any((other, key) in TOGETHER_NEVER for other in made):
                made[key] = example(value, key)
        return made
    if schema.get("type") == "array" and schema["items"].get("type") == "object":
        return [example(schema["items"], name)] * 2
    return EXAMPLES[name]


def distinct_items(validator, items, instance, _):
    """100,000 equal elements are as valid as one."""
    if isinstance(instance, list):
        for each in {str(each): each for each in instance}.values():
            yield from validator.descend(each, items)


Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"items": distinct_items})


def edges(schema, name):
    """Values at the limits of a schema, and values one past them."""
    good, bad = [], []
    if "minimum" in schema:
        good += [schema["minimum"], schema["maximum"], float(schema["maximum"])]
        bad += [schema["minimum"] - 1, schema["maximum"] + 1]
    if "maxLength" in schema:
        good += ["x" * schema["maxLength"], "ü" * schema["maxLength"]]
        bad += ["x" * (schema["maxLength"] + 1), "ü" * (schema["maxLength"] + 1)]
    if "minLength" in schema:
        good.append("x" * schema["minLength"])
        bad.append("x" * (schema["minLength"] - 1))
    if "maxItems" in schema:
        one = example(schema, name)[:1]
        good.append(one * schema["maxItems"])
        bad.append(one * (schema["maxItems"] + 1))
        if schema["items"].get("type") == "number":
            inner_good, inner_bad = edges(schema["items"], name)
            good += [[value] for value in inner_good]
            bad += [[value] for value in inner_bad]
    return good, bad


def bodies(schema):
    """Bodies at the limits, each with whether it is within them."""
    for name, field in schema["properties"].items():
        for values, is_good in zip(edges(field, name), (True, False)):
            for value in values:
                body = {key: each for key, each in example(schema).items()
                        if (name, key) not in TOGETHER_NEVER and (key, name) not in TOGETHER_NEVER
                        and key != "weights"}
                body[name] = value
                if name == "weights":
                    body["history"] = ["i1"] * len(value)
                yield body, is_good
        if field.get("items", {}).get("type") == "object":
            for inner, is_good in bodies(field["items"]):
                yield {**example(schema), name: [inner]}, is_good


class Document(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = serving.serve("--items", serving.workshop() / "titles.tsv",
                                   "--events", serving.workshop() / "events.jsonl")
        cls.document = cls.server.get("/openapi.json").json()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def check(self, answer, response):
        kind, content = next(iter(response["content"].items()))
        self.assertEqual(answer.headers["content-type"], kind)
        if kind == "application/json":
            schema = {**content["schema"], "components": self.document["components"]}
            jsonschema.Draft202012Validator(schema).validate(answer.json())

    def operations(self):
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield path, method, operation

    @staticmethod
    def target(path, operation, left_out=()):
        values = {}
        for field in operation.get("parameters", []):
            if field["name"] not in left_out and \
                    not any((other, field["name"]) in TOGETHER_NEVER for other in values):
                value = EXAMPLES[field["name"]]
                values[field["name"]] = str(value).lower() if isinstance(value, bool) else value
        return path + ("?" + urllib.parse.urlencode(values, doseq=True) if values else "")

    def ask(self, path, method, operation, change=lambda body: body):
        body = None
        if "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            body = change(example(schema))
        return self.server.ask(method.upper(), self.target(path, operation), body)

    def test_the_document_is_openapi(self):
        self.assertEqual(self.document["openapi"], "3.1.0")
        names = [operation["operationId"] for _, _, operation in self.operations()]
        self.assertEqual(len(names), len(set(names)))
        for name, schema in self.document["components"]["schemas"].items():
            with self.subTest(name):
                jsonschema.Draft202012Validator.check_schema(schema)
        for _, _, operation in self.operations():
            for field in operation.get("parameters", []):
                jsonschema.Draft202012Validator.check_schema(field["schema"])

    def test_every_operation_answers_as_its_schema_says(self):
        count = 0
        for path, method, operation in self.operations():
            with self.subTest(f"{method} {path}"):
                answer = self.ask(path, method, operation)
                self.assertEqual(answer.status, 200, answer.text)
                self.check(answer, operation["responses"]["200"])
                count += 1
        self.assertGreaterEqual(count, 13)

    def test_every_operation_refuses_what_it_does_not_list(self):
        for path, method, operation in self.operations():
            with self.subTest(f"{method} {path}"):
                if "requestBody" in operation:
                    answer = self.ask(path, method, operation, lambda body: {**body, "zzz": 1})
                else:
                    target = self.target(path, operation)
                    answer = self.server.get(target + ("&" if "?" in target else "?") + "zzz=1")
                self.assertEqual(answer.status, 400)
                self.check(answer, operation["responses"]["default"])

    def test_required_parameters_are_required(self):
        for path, method, operation in self.operations():
            for field in operation.get("parameters", []):
                answer = self.server.get(self.target(path, operation, (field["name"],)))
                self.assertEqual(answer.status, 400 if field["required"] else 200, field["name"])

    def assertAsDocumented(self, path, schema, body, is_good):
        shown = f"{path} {str(body)[:120]}"
        self.assertEqual(Validator(schema).is_valid(body), is_good, shown)
        answer = self.server.post(path, body)
        self.assertEqual(answer.status, 200 if is_good else 400, shown + answer.text[:300])

    def body_schemas(self):
        for path, _, operation in self.operations():
            if "requestBody" in operation:
                yield path, operation["requestBody"]["content"]["application/json"]["schema"]

    def test_limits_of_bodies_are_as_documented(self):
        count = 0
        for path, schema in self.body_schemas():
            for body, is_good in bodies(schema):
                self.assertAsDocumented(path, schema, body, is_good)
                count += 1
        self.assertGreater(count, 60)

    def test_limits_of_parameters_are_as_documented(self):
        count = 0
        for path, _, operation in self.operations():
            for field in operation.get("parameters", []):
                name = field["name"]
                others = {each["name"]: EXAMPLES[each["name"]]
                          for each in operation["parameters"] if each["required"]}
                for values, status in zip(edges(field["schema"], name), (200, 400)):
                    for value in values:
                        if field["schema"]["type"] == "integer":
                            value = int(value)  # in a query, 10.0 is a text
                        query = urllib.parse.urlencode({**others, name: value}, doseq=True)
                        answer = self.server.get(f"{path}?{query}")
                        self.assertEqual(answer.status, status, f"{path} {query[:60]}")
                        count += 1
        self.assertGreater(count, 20)

    def test_one_of_user_and_history_is_wanted(self):
        paths = []
        for path, schema in self.body_schemas():
            if "oneOf" not in schema:
                continue
            paths.append(path)
            item = {"item": "i2"} if path == "/v1/explain" else {}
            for body, is_good in (({"user": "u1"}, True), ({"history": ["i1"]}, True),
                                  ({"history": ["i1"], "weights": [2]}, True), ({}, False),
                                  ({"user": "u1", "history": ["i1"]}, False),
                                  ({"user": "u1", "weights": [2]}, False), ({"weights": [2]}, False),
                                  ({"user": "u1", "history": ["i1"], "weights": [2]}, False)):
                self.assertAsDocumented(path, schema, {**item, **body}, is_good)
        self.assertEqual(paths, ["/v1/explain", "/v1/recommend"])

    def test_what_is_not_listed_is_not_there(self):
        for path, methods in self.document["paths"].items():
            for method in set(METHODS) - set(methods):
                answer = self.server.ask(method.upper(), path, {} if method != "get" else None)
                self.assertEqual(answer.status, 405, f"{method} {path}")
                allowed = {word.strip().lower() for word in answer.headers["allow"].split(",")}
                self.assertEqual(allowed - {"head"}, set(methods))
            self.assertEqual(self.server.get(path + "/more").status, 404)
        for path in PAGE:
            self.assertEqual(self.server.get(path).status, 200)
            self.assertEqual(self.server.post(path, {}).status, 405)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
