"""`torch.autograd` of the stand-in for torch: functions with a forward and a backward of their own, which launch Triton
kernels in both. Through torch's own operations gradients pass as shapes; what torch launches for them is not told."""
from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

_graph = [True]  # whether operations remember what they were made of: the innermost scope's word is last


@contextlib.contextmanager
def _recording(on: bool) -> Iterator[None]:
    _graph.append(on)
    try:
        yield
    finally:
        _graph.pop()


class no_grad(contextlib.ContextDecorator):  # noqa: N801  (torch's name)
    _on = False

    def __init__(self, *_: Any) -> None:
        pass

    def __new__(cls, function: Any = None, *_: Any) -> Any:
        return cls()(function) if callable(function) else super().__new__(cls)

    def __enter__(self) -> None:
        self._scope = _recording(self._on)
        self._scope.__enter__()

    def __exit__(self, *what: Any) -> None:
        self._scope.__exit__(*what)


class enable_grad(no_grad):  # noqa: N801
    _on = True


class _OfTorch:
    """An operation of torch's own."""

    @staticmethod
    def backward(inputs: tuple[Any, ...], *_: Any) -> tuple[Any, ...]:
        return tuple(each.new_empty(each.shape) for each in inputs)


def follow(reads: list[Any], writes: list[Any]) -> None:
    """Gradients of what an operation of torch's own has written lead to what it has read."""
    if _graph[-1] and any(_needs_gradient(each) for each in reads):
        inputs = tuple(reads)
        node = Node(_OfTorch, inputs, inputs, tuple(writes))
        for each in writes:
            each.grad_fn = node


class Context:
    """What forward hands to backward."""

    def __init__(self) -> None:
        self.saved_tensors: tuple[Any, ...] = ()
        self.needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    def _nothing(self, *_: Any, **__: Any) -> None:
        pass

    mark_non_differentiable = mark_dirty = set_materialize_grads = _nothing


class Function:
    @classmethod
    def apply(cls, *inputs: Any) -> Any:
        context = Context()
        context.needs_input_grad = tuple(_needs_gradient(each) for each in inputs)
        with _recording(False):
            results = cls.forward(context, *inputs)  # type: ignore[attr-defined]
        if _graph[-1] and any(context.needs_input_grad):
            outputs = results if isinstance(results, tuple) else (results,)
            node = Node(cls, context, inputs, outputs)
            for each in outputs:
                if hasattr(each, "grad_fn"):
                    each.grad_fn = node
        return results


def _needs_gradient(value: Any) -> bool:
    return bool(getattr(value, "requires_grad", False) or getattr(value, "grad_fn", None))


class Node:
    def __init__(self, function: Any, context: Context, inputs: tuple[Any, ...], outputs: tuple[Any, ...]) -> None:
        self._function, self._context, self._inputs = function, context, inputs
        self._outputs = outputs

    def run(self, gradients: dict[int, Any]) -> None:
        """Backward of this function and of those before it, each once. `gradients`: of outputs, by their identity."""
        for node in reversed(self._in_order()):
            if not any(id(each) in gradients for each in node._outputs):
                continue
            with _recording(False):
                made = node._function.backward(node._context, *(gradients.get(id(each)) for each in node._outputs))
            for each, gradient in zip(node._inputs, made if isinstance(made, tuple) else (made,)):
                if gradient is None or not _needs_gradient(each):
                    continue
                if each.grad_fn is None:
                    each.grad = gradient
                else:
                    gradients[id(each)] = gradients[id(each)] + gradient if id(each) in gradients else gradient

    def _in_order(self) -> list[Node]:
        """Functions in the order in which they ran, this one last."""
        order: list[Node] = []

        def visit(node: Node) -> None:
            if node in order:
                return
            for each in node._inputs:
                if getattr(each, "grad_fn", None) is not None:
                    visit(each.grad_fn)
            order.append(node)

        visit(self)
        return order


def backward(tensors: Any, gradients: Any = None, **_: Any) -> None:
    outputs = tensors if isinstance(tensors, (tuple, list)) else (tensors,)
    given = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
    node = outputs[0].grad_fn
    if node is None:
        raise RuntimeError("none of the inputs of this tensor requires a gradient")
    node.run({id(each): each.ones_like() if gradient is None else gradient for each, gradient in zip(outputs, given)})


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None, **_: Any) -> tuple[Any, ...]:
    backward(outputs, grad_outputs)
    return tuple(each.grad for each in (inputs if isinstance(inputs, (tuple, list)) else (inputs,)))
