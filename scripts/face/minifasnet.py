"""The two networks of passive liveness: weights of a PyTorch file, without PyTorch.

The architecture is that of MiniFASNetV2 and MiniFASNetV1SE; which layers have a squeeze-and-excitation block is read
from the names of the weights. Every batch normalisation is folded into the convolution before it, because OpenCV 4.6
would compute it apart. """

import collections
import math
import pickle
import struct

import numpy
from graph import Graph

MAGIC = 0x1950A86A20F9469CFC6C
KINDS = {"FloatStorage": "<f4", "LongStorage": "<i8"}


def convert(source, target):
    network = Network(read(source))
    values = network.build()
    unused = set(network.weights) - network.used
    if unused:
        raise ValueError(f"weights that the architecture does not know: {sorted(unused)}")
    network.graph.write(target, [1, 3, 80, 80], {"prob": (values, [1, 3])})


class Unpickler(pickle.Unpickler):
    """Makes nothing but tensors: a pickle may otherwise call anything."""

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, offset, size, stride, *_: (storage, offset, tuple(size), tuple(stride))
        if module == "torch" and name in KINDS:
            return name
        raise pickle.UnpicklingError(f"{module}.{name} has no place among weights")

    def persistent_load(self, identifier):
        return identifier[2], KINDS[identifier[1]]


def read(path):
    """The tensors of a file of PyTorch before 1.6, by name."""
    with open(path, "rb") as file:
        if Unpickler(file).load() != MAGIC:
            raise ValueError(f"{path} is not a PyTorch file of the old form")
        Unpickler(file).load(), Unpickler(file).load()  # version, system
        tensors, keys = Unpickler(file).load(), Unpickler(file).load()
        kinds = {storage[0]: storage[1] for storage, *_ in tensors.values()}
        storages = {}
        for key in keys:
            count, = struct.unpack("<q", file.read(8))
            kind = numpy.dtype(kinds[key])
            storages[key] = numpy.frombuffer(file.read(count * kind.itemsize), kind)
    found = {}
    for name, ((key, _), offset, size, stride) in tensors.items():
        storage = storages[key][offset:]
        strides = [step * storage.itemsize for step in stride]
        found[name.replace("module.", "", 1)] = numpy.lib.stride_tricks.as_strided(storage, size, strides).copy()
    return found


class Network:
    def __init__(self, weights):
        self.weights, self.used, self.graph = weights, set(), Graph()

    def weight(self, name):
        self.used.add(name)
        return self.weights[name]

    def normalisation(self, name):
        """Scale and shift of a batch normalisation."""
        self.used.add(name + ".num_batches_tracked")
        scale = self.weight(name + ".weight") / numpy.sqrt(self.weight(name + ".running_var") + numpy.float32(1e-5))
        return scale, self.weight(name + ".bias") - self.weight(name + ".running_mean") * scale

    def convolution(self, values, weight, normalisation, stride=1, pad=0):
        weights = self.weight(weight)
        scale, shift = self.normalisation(normalisation)
        groups = 1 if weights.shape[1] != 1 else weights.shape[0]
        return self.graph.convolve(values, weights * scale[:, None, None, None], shift, stride, [pad] * 4, groups)

    def linear_block(self, values, name, stride=1, pad=0):
        return self.convolution(values, name + ".conv.weight", name + ".bn", stride, pad)

    def block(self, values, name, stride=1, pad=0):
        values = self.linear_block(values, name, stride, pad)
        slope = self.graph.constant(self.weight(name + ".prelu.weight").reshape(-1, 1, 1))
        return self.graph.add("PRelu", [values, slope])

    def excitation(self, values, name):
        if name + ".fc1.weight" not in self.weights:
            return values
        channel = self.graph.add("GlobalAveragePool", [values])
        channel = self.graph.add("Relu", [self.convolution(channel, name + ".fc1.weight", name + ".bn1")])
        channel = self.graph.add("Sigmoid", [self.convolution(channel, name + ".fc2.weight", name + ".bn2")])
        return self.graph.add("Mul", [values, channel])

    def depthwise(self, values, name, stride):
        """A bottleneck; without a stride its input is added to its output."""
        inner = self.block(values, name + ".conv")
        inner = self.linear_block(self.block(inner, name + ".conv_dw", stride, 1), name + ".project")
        return inner if stride > 1 else self.graph.add("Add", [values, self.excitation(inner, name + ".se_module")])

    def build(self):
        values = self.block("input", "conv1", 2, 1)
        values = self.block(values, "conv2_dw", 1, 1)
        for stage, repeats in (("3", 4), ("4", 6), ("5", 2)):
            values = self.depthwise(values, {"3": "conv_23", "4": "conv_34", "5": "conv_45"}[stage], 2)
            for number in range(repeats):
                values = self.depthwise(values, f"conv_{stage}.model.{number}", 1)
        values = self.linear_block(self.block(values, "conv_6_sep"), "conv_6_dw")
        values = self.graph.add("Flatten", [values], axis=1)
        scale, shift = self.normalisation("bn")
        last = self.weight("prob.weight")
        weights = product(last, scale[:, None] * self.weight("linear.weight"))
        bias = product(last, shift[:, None])[:, 0]
        values = self.graph.add("Gemm", [values, self.graph.constant(weights), self.graph.constant(bias)], transB=1)
        return self.graph.add("Softmax", [values], axis=1)


def product(left, right):
    """The matrix product with exact sums, so that every machine writes the same bytes."""
    columns = right.T.astype(float).tolist()
    return numpy.array([[math.fsum(map(float.__mul__, row, column)) for column in columns]
                        for row in left.astype(float).tolist()])
