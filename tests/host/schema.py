"""schema.py SCHEMA CORPUS: is the schema one, and does the library judge every message of the corpus as it says?

A line of the corpus is the name of a definition, 1 if the message fits it (else 0), and the message.
"""
import json
import sys

from jsonschema import Draft202012Validator

schema = json.load(open(sys.argv[1], encoding="utf-8"))
Draft202012Validator.check_schema(schema)
judges = {}
wrong = 0
for line in open(sys.argv[2], encoding="utf-8"):
    name, fits, message = line.split(" ", 2)
    if name not in judges:
        judges[name] = Draft202012Validator({"$ref": "#/$defs/" + name, "$defs": schema["$defs"]})
    if judges[name].is_valid(json.loads(message)) != (fits == "1"):
        wrong += 1
        print("the library disagrees:", line[:600])
sys.exit(wrong > 0)
