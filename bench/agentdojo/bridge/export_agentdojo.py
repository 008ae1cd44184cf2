"""Writes AgentDojo's suites and ground-truth runs as JSON, from an installed `agentdojo`.

    python3 export_agentdojo.py OUT [--benchmark-version v1.2.1]

makes OUT/suites/{suite}.json and OUT/ground-truth/{suite}.jsonl in the shape that bench/agentdojo/suites reads. What
follows from the code is exported; remarks that a person wrote (`note`, `mutatesParts`, `fork`) are not.
"""

from __future__ import annotations

import argparse
import datetime
import enum
import json
import os
import sys
import types
import typing

from assay_host import plain

CLOCK = datetime.datetime(2024, 5, 15, 12, 0, 0)

# Tools that change the state but are called by no ground truth. For the others it is seen from the state.
WRITES = {
    "schedule_transaction", "update_scheduled_transaction", "update_password", "update_user_info", "send_money",
    "add_user_to_channel", "send_direct_message", "send_channel_message", "invite_user_to_slack",
    "remove_user_from_slack", "get_webpage", "post_webpage", "send_email", "delete_email", "get_unread_emails",
    "create_calendar_event", "cancel_calendar_event", "reschedule_calendar_event",
    "add_calendar_event_participants", "append_to_file", "create_file", "delete_file", "share_file",
    "reserve_hotel", "reserve_car_rental", "reserve_restaurant",
}  # fmt: skip

SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def fix_clock():
    """`datetime.now()` gives CLOCK in the modules of the default suites."""

    class Fixed(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return CLOCK

        @classmethod
        def today(cls):
            return CLOCK

    fixed_module = types.ModuleType("datetime")
    fixed_module.__dict__.update({**datetime.__dict__, "datetime": Fixed})
    for name, module in list(sys.modules.items()):
        if name.startswith("agentdojo.default_suites"):
            if getattr(module, "datetime", None) is datetime:
                module.datetime = fixed_module
            elif getattr(module, "datetime", None) is datetime.datetime:
                module.datetime = Fixed


def is_model(annotation):
    return isinstance(annotation, type) and hasattr(annotation, "model_fields")


def type_name(annotation):
    """`Email[]`, `string|null`, `map<string,number>`, `enum(r,rw)`, …"""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return type_name(args[0])
    if origin is list:
        inner = type_name(args[0]) if args else "any"
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is dict:
        return f"map<{type_name(args[0])},{type_name(args[1])}>"
    if origin in (typing.Union, types.UnionType):
        return "|".join(type_name(arg) for arg in args)
    if annotation in SIMPLE:
        return SIMPLE[annotation]
    if annotation is datetime.datetime:
        return "datetime"
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return f"enum({','.join(str(member.value) for member in annotation)})"
    if is_model(annotation):
        return annotation.__name__
    # EmailStr and the like are strings with rules.
    return "string" if getattr(annotation, "__name__", "").endswith("Str") else "any"


def models_in(annotation):
    if is_model(annotation):
        return [annotation]
    return [model for arg in typing.get_args(annotation) for model in models_in(arg)]


def fields_of(model):
    fields = []
    for name, field in model.model_fields.items():
        entry = {"name": name, "type": type_name(field.annotation)}
        if field.description:
            entry["description"] = field.description
        fields.append(entry)
    return fields


def returns_of(function):
    hints = typing.get_type_hints(function.run)
    annotation = hints.get("return", type(None))
    origin = typing.get_origin(annotation)
    rows = origin is list
    entry = {"type": type_name(annotation)}
    if rows:
        entry.update(shape="list", textFormat="yaml")
    elif is_model(annotation):
        entry.update(shape="dict", textFormat="yaml")
    elif origin is dict or annotation is dict:
        entry.update(shape="dict", textFormat="python-repr")
    elif annotation is type(None):
        entry.update(shape="null", textFormat="python-str")
    elif annotation in (int, float):
        entry.update(shape="number", textFormat="python-str")
    else:
        entry.update(shape="str", textFormat="python-str")
    models = models_in(annotation)
    if models:
        entry["fields"] = fields_of(models[0])
        nested = {
            inner.__name__: fields_of(inner)
            for field in models[0].model_fields.values()
            for inner in models_in(field.annotation)
        }
        if nested:
            entry["nested"] = nested
    return entry


def without_titles(schema):
    if isinstance(schema, dict):
        return {
            key: without_titles(item)
            for key, item in schema.items()
            if not (key == "title" and isinstance(item, str))
        }
    return [without_titles(item) for item in schema] if isinstance(schema, list) else schema


def state(environment):
    """The state as the tools see it: rows by id, without the lists that they were loaded from or computed views."""
    dumped = plain(environment)
    for part in dumped.values():
        if isinstance(part, dict):
            for name in ("initial_emails", "initial_events", "initial_files", "received", "sent", "drafts"):
                part.pop(name, None)
    return dumped


def places(value, texts, path=()):
    """(name, path) of each text of `texts` in the value; a path's last `{"key": K}` is a key that holds it."""
    if isinstance(value, str):
        yield from ((name, list(path)) for name, text in texts.items() if text in value)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from ((name, [*path, {"key": key}]) for name, text in texts.items() if text in key)
            yield from places(item, texts, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, texts, (*path, index))


def changed(before, after, path=()):
    """Paths at which two states differ; a node that came or went counts once."""
    if type(before) is type(after) and isinstance(before, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            if key not in before or key not in after:
                yield [*path, key]
            else:
                yield from changed(before[key], after[key], (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        for index in range(max(len(before), len(after))):
            if index >= len(before) or index >= len(after):
                yield [*path, index]
            else:
                yield from changed(before[index], after[index], (*path, index))
    elif before != after:
        yield list(path)


def calls_of(task, environment):
    calls = task.ground_truth(environment)
    return [{"function": call.function, "args": plain(call.args)} for call in calls]


def difficulty(task):
    return getattr(getattr(task, "DIFFICULTY", None), "name", "easy").lower()


class Exporter:
    def __init__(self, suite, name, version):
        from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
        from agentdojo.functions_runtime import FunctionsRuntime

        self.suite, self.name, self.version = suite, name, version
        self.to_text = tool_result_to_str
        self.runtime = FunctionsRuntime(suite.tools)
        self.vectors = suite.get_injection_vector_defaults()
        self.written = set()

    def environment(self, task=None, injections=None):
        environment = self.suite.load_and_inject_default_environment(injections or {})
        return environment if task is None else task.init_environment(environment)

    def marks(self):
        return {vector: f"@@{vector}@@" for vector in self.vectors}

    def ground_truth(self, task):
        """The task's calls on the benign state, and where in their results an injection would stand."""
        before = self.environment(task)
        environment, marked = before.model_copy(deep=True), self.environment(task, self.marks())
        steps = []
        for index, call in enumerate(task.ground_truth(before)):
            old = state(environment)
            result, error = self.runtime.run_function(environment, call.function, call.args)
            if error is not None:
                raise RuntimeError(f"{self.name} {task.ID} step {index}: {error}")
            seen, _ = self.runtime.run_function(marked, call.function, call.args)
            differences = list(changed(old, state(environment)))
            if differences:
                self.written.add(call.function)
            steps.append(
                {
                    "index": index,
                    "call": {"function": call.function, "args": plain(call.args)},
                    "result": plain(result),
                    "resultText": self.to_text(result),
                    "forkResultText": None,
                    "changed": differences,
                    "landings": [
                        {"vector": vector, "path": path} for vector, path in places(plain(seen), self.marks())
                    ],
                }
            )
        final = task.GROUND_TRUTH_OUTPUT
        return {
            "suite": self.name,
            "userTask": task.ID,
            "benchmarkVersion": self.version,
            "steps": steps,
            "finalText": final,
            "utility": bool(task.utility(final, before, environment)),
        }

    def tool(self, function):
        dependencies = [dependency.env_dependency for dependency in function.dependencies.values()]
        return {
            "name": function.name,
            "description": function.description,
            "docstring": function.full_docstring,
            "parameters": without_titles(function.parameters.model_json_schema()),
            "returns": returns_of(function),
            "mutates": function.name in self.written or function.name in WRITES,
            "environmentParts": [part for part in dependencies if isinstance(part, str)],
        }

    def user_task(self, task, run):
        landed = {landing["vector"] for step in run["steps"] for landing in step["landings"]}
        return {
            "id": task.ID,
            "prompt": task.PROMPT,
            "groundTruthOutput": task.GROUND_TRUTH_OUTPUT,
            "difficulty": difficulty(task),
            "groundTruth": [step["call"] for step in run["steps"]],
            "dataDependency": None,
            "injectionVectors": sorted(landed),
        }

    def injection_task(self, task):
        return {
            "id": task.ID,
            "goal": task.GOAL,
            "groundTruthOutput": getattr(task, "GROUND_TRUTH_OUTPUT", ""),
            "difficulty": difficulty(task),
            "groundTruth": calls_of(task, self.environment()),
        }

    def export(self, out):
        runs = {id_: self.ground_truth(task) for id_, task in self.suite.user_tasks.items()}
        held = state(self.environment(injections={vector: "{" + vector + "}" for vector in self.vectors}))
        braces = {vector: "{" + vector + "}" for vector in self.vectors}
        descriptions = self.suite.get_injection_vector_descriptions() if hasattr(
            self.suite, "get_injection_vector_descriptions"
        ) else {}
        data = {
            "suite": self.name,
            "benchmarkVersion": self.version,
            "source": "exported from an installed agentdojo",
            "injectionVectors": {
                vector: {"description": descriptions.get(vector, ""), "default": default}
                for vector, default in self.vectors.items()
            },
            "injectionPoints": [{"vector": vector, "path": path} for vector, path in places(held, braces)],
            "tools": [self.tool(function) for function in self.suite.tools],
            "userTasks": [self.user_task(task, runs[id_]) for id_, task in self.suite.user_tasks.items()],
            "injectionTasks": [self.injection_task(task) for task in self.suite.injection_tasks.values()],
            "environment": held,
            "environmentBenign": state(self.environment()),
        }
        write(os.path.join(out, "suites", f"{self.name}.json"), [json.dumps(data, ensure_ascii=False, indent=1)])
        write(
            os.path.join(out, "ground-truth", f"{self.name}.jsonl"),
            [json.dumps(run, ensure_ascii=False) for run in runs.values()],
        )


def write(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", help="folder to write to")
    parser.add_argument("--benchmark-version", default="v1.2.1")
    options = parser.parse_args()
    from agentdojo.task_suite.load_suites import get_suites

    suites = get_suites(options.benchmark_version)
    fix_clock()
    for name, suite in suites.items():
        Exporter(suite, name, options.benchmark_version).export(options.out)


if __name__ == "__main__":
    main()
