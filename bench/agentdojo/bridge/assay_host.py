"""AgentDojo as a host for assay: executes tools and judges runs, while assay plans, labels and decides.

Speaks JSON lines over standard input and output; README.md beside this file has the protocol. Needs the Python
package `agentdojo`, and nothing else. Everything that AgentDojo prints goes to standard error, so that it cannot
get between the messages.
"""

from __future__ import annotations

import argparse
import datetime
import enum
import json
import os
import sys
import traceback

PROTOCOL = 1


class Lines:
    """Messages on the real standard output; `print` is sent elsewhere."""

    def __init__(self):
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._in = sys.stdin

    def send(self, message):
        self._out.write(json.dumps(message, ensure_ascii=True) + "\n")
        self._out.flush()

    def receive(self):
        line = self._in.readline()
        if line == "":
            raise EOFError("assay closed the connection")
        return json.loads(line)


def plain(value):
    """A tool's result or a state as JSON: models as objects, times as `YYYY-MM-DD HH:MM:SS`."""
    if hasattr(value, "model_dump"):
        return plain(value.model_dump())
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, (datetime.datetime, datetime.date)):
        return str(value)
    if isinstance(value, dict):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def tool_entry(function):
    return {
        "name": function.name,
        "description": function.description,
        "parameters": function.parameters.model_json_schema(),
    }


def make_pipeline(lines, run, suite_name, user_task, injection_task):
    """A pipeline element that leaves all thinking to the other side of the lines."""
    from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement
    from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
    from agentdojo.functions_runtime import EmptyEnv, FunctionCall
    from agentdojo.types import text_content_block_from_string

    def content(text):
        return [text_content_block_from_string(text)]

    class AssayPipeline(BasePipelineElement):
        name = "assay"

        def query(self, query, runtime, env=EmptyEnv(), messages=(), extra_args=None):
            messages = [*messages, {"role": "user", "content": content(query)}]
            lines.send(
                {
                    "type": "task",
                    "run": run,
                    "suite": suite_name,
                    "userTask": user_task.ID,
                    "injectionTask": injection_task.ID if injection_task is not None else None,
                    "prompt": query,
                    "environment": plain(env),
                }
            )
            while True:
                message = lines.receive()
                if message.get("run") != run:
                    raise ValueError(f"message of another run: {message.get('run')!r}")
                if message["type"] == "answer":
                    messages.append(
                        {"role": "assistant", "content": content(message["text"]), "tool_calls": None}
                    )
                    return query, runtime, env, messages, extra_args or {}
                if message["type"] != "call":
                    raise ValueError(f"unknown message {message['type']!r}")
                call = FunctionCall(function=message["function"], args=message["args"], id=message["id"])
                result, error = runtime.run_function(env, call.function, call.args)
                text = "" if error is not None else tool_result_to_str(result)
                messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
                messages.append(
                    {
                        "role": "tool",
                        "content": content(text),
                        "tool_call_id": call.id,
                        "tool_call": call,
                        "error": error,
                    }
                )
                lines.send(
                    {
                        "type": "result",
                        "run": run,
                        "call": call.id,
                        "result": None if error is not None else plain(result),
                        "text": text,
                        "error": error,
                    }
                )

    return AssayPipeline()


def wanted(selection, key, names):
    chosen = selection.get(key)
    unknown = set(chosen or []) - set(names)
    if unknown and key == "suites":
        raise ValueError(f"no such {key}: {', '.join(sorted(unknown))}")
    return [name for name in names if chosen is None or name in chosen]


def serve(lines, benchmark_version):
    from agentdojo.task_suite.load_suites import get_suites

    suites = get_suites(benchmark_version)
    lines.send(
        {
            "type": "hello",
            "protocol": PROTOCOL,
            "benchmarkVersion": benchmark_version,
            "suites": [
                {"name": name, "tools": [tool_entry(tool) for tool in suite.tools]}
                for name, suite in suites.items()
            ],
        }
    )
    start = lines.receive()
    if start.get("type") != "start":
        raise ValueError("the first message has to be start")
    for name in wanted(start, "suites", suites):
        run_suite(lines, suites[name], name, start)
    lines.send({"type": "end"})


def run_suite(lines, suite, name, start):
    attack_name = start.get("attack")
    for user_id in wanted(start, "userTasks", suite.user_tasks):
        user_task = suite.user_tasks[user_id]
        if attack_name is None:
            run_one(lines, suite, name, user_task, None, {})
            continue
        for injection_id in wanted(start, "injectionTasks", suite.injection_tasks):
            injection_task = suite.injection_tasks[injection_id]
            injections = make_injections(suite, attack_name, user_task, injection_task)
            run_one(lines, suite, name, user_task, injection_task, injections)


def make_injections(suite, attack_name, user_task, injection_task):
    """The attack's texts by vector. An attack asks the pipeline for its name, to address the model by it."""
    from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement
    from agentdojo.attacks.attack_registry import load_attack

    class Named(BasePipelineElement):
        # The model name that an attack looks up; the texts of the exported data use it, too.
        name = "gpt-4o-2024-05-13"

        def query(self, *args, **kwargs):
            # An attack looks for the vectors that the ground truth reads with a pipeline of its own.
            raise NotImplementedError

    return load_attack(attack_name, suite, Named()).attack(user_task, injection_task)


def run_one(lines, suite, name, user_task, injection_task, injections):
    run = f"{name}/{user_task.ID}/{injection_task.ID if injection_task is not None else 'benign'}"
    pipeline = make_pipeline(lines, run, name, user_task, injection_task)
    utility, security = suite.run_task_with_pipeline(pipeline, user_task, injection_task, injections)
    lines.send(
        {
            "type": "verdict",
            "run": run,
            "utility": bool(utility),
            # AgentDojo says true for benign runs, too, where there is nothing to judge.
            "security": None if injection_task is None else bool(security),
        }
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--benchmark-version", default="v1.2.1")
    options = parser.parse_args()
    lines = Lines()
    try:
        serve(lines, options.benchmark_version)
    except Exception as error:  # the other side has to hear of anything that ends the run
        traceback.print_exc()
        try:
            lines.send({"type": "fault", "message": f"{type(error).__name__}: {error}"})
        except OSError:
            pass
        sys.exit(1)


if __name__ == "__main__":
    main()
