"""Age and gender: OpenCV 4.6 reads a Gemm only with its weights transposed."""

import numpy
import onnx
from graph import save
from onnx import numpy_helper


def convert(source, target):
    model = onnx.load(source)
    constants = {constant.name: constant for constant in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type != "Gemm":
            continue
        transposed = next(attribute for attribute in node.attribute if attribute.name == "transB")
        if transposed.i == 0:
            weights = constants[node.input[1]]
            turned = numpy.ascontiguousarray(numpy_helper.to_array(weights).T)
            weights.CopyFrom(numpy_helper.from_array(turned, weights.name))
            transposed.i = 1
    save(model, target)
