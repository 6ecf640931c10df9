"""The expression network: layers and weights of a Keras file, without TensorFlow."""

import json

import h5py
import numpy
from graph import Graph, same_padding


def convert(source, target):
    with h5py.File(source) as file:
        layers = json.loads(file.attrs["model_config"])["config"]["layers"]
        network = Network(file["model_weights"])
        for layer in layers:
            network.add(layer)
    network.graph.write(target, [1, 1, 64, 64], {"prob": (network.values[layers[-1]["name"]], [1, 7])})


class Network:
    def __init__(self, weights):
        self.weights, self.graph = weights, Graph()
        self.values, self.sizes = {}, {}  # by layer: the output's name, and how many rows and columns it has

    def parameters(self, layer):
        group = self.weights[layer]
        names = [name.decode() if isinstance(name, bytes) else name for name in group.attrs["weight_names"]]
        return [numpy.array(group[name]) for name in names]

    def add(self, layer):
        name, kind, settings = layer["name"], layer["class_name"], layer["config"]
        if kind == "InputLayer":
            self.values[name], self.sizes[name] = "input", settings["batch_input_shape"][1]
            return
        before = [node[0] for node in layer["inbound_nodes"][0]]
        inputs = [self.values[one] for one in before]
        self.sizes[name] = self.sizes[before[0]]
        self.values[name] = getattr(self, f"add_{kind}")(name, settings, inputs)

    def window(self, name, settings, kernel):
        """Stride and padding of a sliding window; notes how large its output is."""
        size, stride = self.sizes[name], settings["strides"][0]
        before, behind = same_padding(size, kernel, stride) if settings["padding"] == "same" else (0, 0)
        self.sizes[name] = (size + before + behind - kernel) // stride + 1
        return stride, (before, before, behind, behind)

    def add_Conv2D(self, name, settings, inputs):
        kernel, *bias = self.parameters(name)
        stride, pads = self.window(name, settings, settings["kernel_size"][0])
        return self.graph.convolve(inputs[0], kernel.transpose(3, 2, 0, 1), *bias, stride=stride, pads=pads)

    def add_SeparableConv2D(self, name, settings, inputs):
        depth, point, *bias = self.parameters(name)
        stride, pads = self.window(name, settings, settings["kernel_size"][0])
        values = self.graph.convolve(inputs[0], depth.transpose(2, 3, 0, 1), stride=stride, pads=pads,
                                     groups=depth.shape[2])
        return self.graph.convolve(values, point.transpose(3, 2, 0, 1), *bias)

    def add_BatchNormalization(self, name, settings, inputs):
        constants = [self.graph.constant(values) for values in self.parameters(name)]
        return self.graph.add("BatchNormalization", inputs + constants, epsilon=settings["epsilon"])

    def add_Activation(self, _, settings, inputs):
        if settings["activation"] == "softmax":
            return self.graph.add("Softmax", inputs, axis=1)
        return self.graph.add({"relu": "Relu"}[settings["activation"]], inputs)

    def add_MaxPooling2D(self, name, settings, inputs):
        kernel = settings["pool_size"][0]
        stride, pads = self.window(name, settings, kernel)
        return self.graph.add("MaxPool", inputs, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=list(pads))

    def add_Add(self, _, __, inputs):
        return self.graph.add("Add", inputs)

    def add_GlobalAveragePooling2D(self, _, __, inputs):
        return self.graph.add("Flatten", [self.graph.add("GlobalAveragePool", inputs)], axis=1)
