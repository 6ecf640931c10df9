"""The face mesh and the contours of eyes: TensorFlow Lite graphs, without TensorFlow."""

import numpy
import tflite
from graph import Graph, same_padding

KINDS = {tflite.TensorType.FLOAT32: numpy.float32, tflite.TensorType.FLOAT16: numpy.float16,
         tflite.TensorType.INT32: numpy.int32}
OPERATORS = {number: name for name, number in vars(tflite.BuiltinOperator).items() if isinstance(number, int)}
# 468 points of three coordinates, and whether there is a face at all; 71 points around an eye, and 5 of its iris
NAMES = {1404: "mesh", 1: "flag", 213: "eye", 15: "iris"}


def convert(source, target):
    model = tflite.Model.GetRootAsModel(source.read_bytes(), 0)
    reader = Reader(model)
    for index in range(reader.lite.OperatorsLength()):
        reader.add(reader.lite.Operators(index))
    outputs = {}
    for index in range(reader.lite.OutputsLength()):
        tensor = reader.lite.Outputs(index)
        shape = reader.shape(tensor)
        if len(shape) == 4:
            shape = [shape[0], shape[3], shape[1], shape[2]]
        outputs[NAMES[int(numpy.prod(shape))]] = (reader.values[tensor], shape)
    count, height, width, channels = reader.shape(reader.lite.Inputs(0))
    reader.graph.write(target, [count, channels, height, width], outputs)


class Reader:
    def __init__(self, model):
        self.model, self.lite, self.graph = model, model.Subgraphs(0), Graph()
        self.constants = {}
        self.values = {self.lite.Inputs(0): "input"}

    def shape(self, tensor):
        return [int(size) for size in self.lite.Tensors(tensor).ShapeAsNumpy()]

    def constant(self, index):
        if index in self.constants:
            return self.constants[index]
        tensor = self.lite.Tensors(index)
        buffer = self.model.Buffers(tensor.Buffer())
        if buffer.DataLength() == 0:
            return None
        values = numpy.frombuffer(buffer.DataAsNumpy().tobytes(), KINDS[tensor.Type()])
        return values.reshape(self.shape(index) if tensor.ShapeLength() else ())

    def add(self, operator):
        code = self.model.OperatorCodes(operator.OpcodeIndex())
        kind = OPERATORS[max(code.BuiltinCode(), code.DeprecatedBuiltinCode())]
        inputs, output = [int(index) for index in operator.InputsAsNumpy()], operator.Outputs(0)
        if kind == "DEQUANTIZE":  # weights are kept in 16 bits
            self.constants[output] = self.constant(inputs[0]).astype(numpy.float32)
        else:
            self.values[output] = getattr(self, f"add_{kind}")(operator, inputs, output)

    def options(self, operator, kind):
        options = kind()
        options.Init(operator.BuiltinOptions().Bytes, operator.BuiltinOptions().Pos)
        return options

    def activated(self, values, kind):
        if kind == tflite.ActivationFunctionType.NONE:
            return values
        if kind == tflite.ActivationFunctionType.RELU:
            return self.graph.add("Relu", [values])
        raise ValueError(f"activation {kind} is not known")

    def pads(self, options, tensor, rows, columns):
        if options.Padding() == tflite.Padding.VALID:
            return [0] * 4
        _, height, width, _ = self.shape(tensor)
        top, bottom = same_padding(height, rows, options.StrideH())
        left, right = same_padding(width, columns, options.StrideH())
        return [top, left, bottom, right]

    def convolve(self, options, inputs, axes, groups):
        weights = self.constant(inputs[1])
        values = self.graph.convolve(
            self.values[inputs[0]], weights.transpose(axes), self.constant(inputs[2]), options.StrideH(),
            self.pads(options, inputs[0], *weights.shape[1:3]), groups(weights))
        return self.activated(values, options.FusedActivationFunction())

    def add_CONV_2D(self, operator, inputs, _):
        return self.convolve(self.options(operator, tflite.Conv2DOptions), inputs, (0, 3, 1, 2), lambda _: 1)

    def add_DEPTHWISE_CONV_2D(self, operator, inputs, _):
        options = self.options(operator, tflite.DepthwiseConv2DOptions)
        return self.convolve(options, inputs, (3, 0, 1, 2), lambda weights: weights.shape[3])

    def add_PRELU(self, _, inputs, __):
        return self.graph.add(
            "PRelu", [self.values[inputs[0]], self.graph.constant(self.constant(inputs[1]).reshape(-1, 1, 1))])

    def add_ADD(self, operator, inputs, _):
        values = self.graph.add("Add", [self.values[index] for index in inputs])
        return self.activated(values, self.options(operator, tflite.AddOptions).FusedActivationFunction())

    def add_MAX_POOL_2D(self, operator, inputs, _):
        options = self.options(operator, tflite.Pool2DOptions)
        rows, columns = options.FilterHeight(), options.FilterWidth()
        return self.graph.add(
            "MaxPool", [self.values[inputs[0]]], kernel_shape=[rows, columns], strides=[options.StrideH()] * 2,
            pads=self.pads(options, inputs[0], rows, columns))

    def add_PAD(self, _, inputs, __):
        edges = self.constant(inputs[1])  # channels come last there, second here
        pads = [edges[axis][side] for side in (0, 1) for axis in (0, 3, 1, 2)]
        return self.graph.add(
            "Pad", [self.values[inputs[0]], self.graph.constant(pads, numpy.int64), self.graph.constant(0)])

    def add_RESHAPE(self, _, inputs, output):
        values, shape = self.values[inputs[0]], self.shape(inputs[0])
        if len(shape) == 4 and (shape[1] > 1 or shape[2] > 1):
            values = self.graph.add("Transpose", [values], perm=[0, 2, 3, 1])
        return self.graph.add("Reshape", [values, self.graph.constant(self.shape(output), numpy.int64)])

    def add_LOGISTIC(self, _, inputs, __):
        return self.graph.add("Sigmoid", [self.values[inputs[0]]])
