"""Writes an ONNX graph node by node, in the form that OpenCV 4.6 reads: opset 11, every node named."""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, values, kind=numpy.float32):
        name = f"w{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.ascontiguousarray(values, dtype=kind), name))
        return name

    def add(self, kind, inputs, **attributes):
        """One node; gives the name of its output."""
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def convolve(self, values, weights, bias=None, stride=1, pads=(0, 0, 0, 0), groups=1):
        """`weights` as ONNX has them: output channel, input channel, row, column."""
        inputs = [values, self.constant(weights)] + ([] if bias is None else [self.constant(bias)])
        return self.add("Conv", inputs, kernel_shape=list(weights.shape[2:]), strides=[stride] * 2, pads=list(pads),
                        group=groups)

    def rename(self, old, new):
        for node in self.nodes:
            node.input[:] = [new if name == old else name for name in node.input]
            if old in node.output:
                node.output[:] = [new if name == old else name for name in node.output]
                node.name = new

    def write(self, path, input_shape, outputs):
        """`outputs` maps the name each output shall have to the node's output and its shape."""
        for name, (value, _) in outputs.items():
            self.rename(value, name)
        infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, (_, shape) in outputs.items()]
        info = helper.make_tensor_value_info("input", TensorProto.FLOAT, input_shape)
        graph = helper.make_graph(self.nodes, path.stem, [info], infos, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)])
        model.ir_version = 6
        save(model, path)


def save(model, path):
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString(deterministic=True))


def same_padding(size, kernel, stride):
    """TensorFlow's SAME padding in one direction: the sizes before and behind."""
    missing = max((-(-size // stride) - 1) * stride + kernel - size, 0)
    return missing // 2, missing - missing // 2
