"""`torch.autograd` of the stand-in for torch: functions with a forward and a backward of their own, which launch Triton
kernels in both. Gradients of torch's own operations are not there."""
from __future__ import annotations

from typing import Any


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
        results = cls.forward(context, *inputs)  # type: ignore[attr-defined]
        if any(context.needs_input_grad):
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
        raise RuntimeError("the stand-in for torch knows gradients of torch.autograd.Function only: this tensor was made by "
                           "an operation of torch's own, or none of its inputs requires a gradient")
    node.run({id(each): each.ones_like() if gradient is None else gradient for each, gradient in zip(outputs, given)})


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None, **_: Any) -> tuple[Any, ...]:
    backward(outputs, grad_outputs)
    return tuple(each.grad for each in (inputs if isinstance(inputs, (tuple, list)) else (inputs,)))
