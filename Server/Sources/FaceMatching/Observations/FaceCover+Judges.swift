import Foundation

extension FaceCover {
    /// A judge of one part: the sum of a network's features, each by its weight. Logistic regression; docs/face.md says
    /// on what it was fitted.
    struct Judge: Sendable {
        private let weights: [Int8]
        private let scale: Float
        private let offset: Float

        /// - Parameter weights: a byte each, in base64.
        init(scale: Float, offset: Float, _ weights: String) {
            self.weights = (Data(base64Encoded: weights) ?? Data()).map { Int8(bitPattern: $0) }
            self.scale = scale
            self.offset = offset
        }

        /// 0 to 1; 0.5 where one of two hundred uncovered faces is judged covered.
        func likelihood(_ features: [Float]) -> Double {
            precondition(features.count == weights.count, "weights are of other features")
            let sum = zip(features, weights).reduce(into: Float(0)) { $0 += $1.0 * Float($1.1) }
            return 1 / (1 + exp(-Double(sum * scale + offset)))
        }
    }

    /// By the features of the mesh network.
    static let mouth = Judge(
        scale: 0.0036156953, offset: 11.425778,
        """
        Bwn+AwT7D9rY5AMN/P//+OD5Bxr0+f0E0ejhAAAA/gITCeHx/P/6+OwF+wD58PkF7f8DAQAAFvcS9grr8gkz+vr1AAoFC9cE//8D//8A9AYB7P\
        T29wQKDAYD/AACAAYO+gUM/wwF/gL5Cfj/B/0CBv7+Afb8BAMA/f73/hzyAfwA9/YJBv8RAAL8/wD69QX5Bgj7AQcCFAT2+f/6/wD/Ae4C/wYL\
        /v4MAgAL+P3//P759wfjBQL3A/8EEf/9APv7/Afb/f7Z6fD7++v22/kCBAYE6v8CH8z5+/YBBBD7AfwAA/r8/QAB//YJ+RH2BQfz9urh9v4b7/\
        X2A+0EAvL/AjL8/OTbCfv3/QEA5/sd+P3//vr7+Pj8AgEB8/8KCgL9/gX99//9HfYP/RP9+/n+5/Hv/wH++Q7/+ev/BBwF+fz6HQkRBvrwAPz+\
        /gAF/wHjAAf9AvUP+QD//QEA29riAgoHDgcDAfT/BQMFAv0C9gbwAAAbAP3kJB7mEO/0CgT+Cf8A/AD7/P0LAgL+8/77+wL8+PkV/P0BI/4X7Q\
        XvCPjy+gH++vr2/gj3AQTyE+zy3PEQCQAA8PLh6gbe7P8IBxcWBvn+Bvv8AvsI+QcI+Qn8+fr8B//5CAH99NvoDAT77vr6BQAH/ADp/wERHdjO\
        HQQC6fr7DOX4Afj5AAP+/Pn3Avf/+QIJ+RIF/PcU+f4HkqROIA4hDPb3K//XBPgY/AQOC+jp//sg/AH+IB39+Af7Af7/ACkB/gAB8vv77fX37Q\
        X2/gv88d30/QgM//Py9AwJDQP+AP3w//kNCwL+8frr//0L6Q4DCAD+9vj4AgIC9vwI+RH+BQv0Af7y+gL45Pot/v77/Pm9At6qAf3/AQEMCxH9\
        9gDyBf8K+vz43xf5BAkEAfX4/v32/gYgBgYJ/vLbCebTEd771AQGBfn69PgBA/4B7xLy+QgG9AMG+woFvwf8CgAA7unvAvzu/9j9DgL//QXr8f\
        3z6vv/BA7w7/z+/gAY1wkCFAEGIPQV8/IICwLrGfsE+/v5A/4N9vf4/gvwAPgB+vsDCQD7+ALwAxr98x8G7f3/AgjmCfwU7wL29gXc//QF/g37\
        /goAAP3uDALc+BYm/gL/7vH8DwL5/wHhBP0b+FP0/+f+Cf/8/QbsAgL/7AX0AgvY+v/9DAL3Benp+f8l/v8LAv46C/L4AwH7A/b5+fX/6Q72+v\
        b3/P/6+fsH9OsOEQsl2/wVFfTz9+z7/gTU/PaBBwbx/P3u/f3zEvz9FAL7P//xB/34+yj0/R0PEQYu8Qfv8PEU/hL49/0C/QL/ChIZBwH+7OUn\
        +vwj/P459itF3QsM9/7mEUEz/+zyEgcM5tnkAAgC9f0rC2YD8vj//QD8Fwbx9BEL/vfv6PkA//0W9P0Q9efq8fn9AvX49PkD8vX5AP4E8hgQGe\
        6o+QwECvz/8/kDEAoA/e8JA/T5+fL/8QQAAPz5/Qbz9fL29vf8/f//7e/vBggK//IIPOTt+xH29P4IBere8AP7//780u4AAwUnBAhPFCT0
        """)

    /// By the features of the eye network, the mean of both eyes.
    static let eyes = Judge(
        scale: 0.023354167, offset: -4.5141182,
        """
        /Aj2+wL8AfYG+///zPTq+MwA8AX5//wB9wj1/xP69gcEHe4HAgMJBQP+/wD8+gL/+/P0+wb23fbu8wj2+AP+EAYABAPkDL4bDwry+OUI/AEBHv\
        v9Dg4N6Af/Bfb8AgIEDw0CBAUDCQIA+gfnEAj99wAA+v0C+/cJ9P7z9wHsCBn8Ag0ECgr/8wL4AfjwBeUQAP/8/QH9AIEUB/j//fwCAv0MA/7a\
        CfMmAAEGCAcD+93jvCPp8wD/++sJ+P31CP5HFSIi5fL+8/n//QH2AvIHBwX/ABIA7/zuAAX6+Nf48fgD+gMN4FTqCwEACAQDB/sD/AYRBQgI+w\
        vxBP8V+gYH8vviDQb4++cDEgYeDwUCB+gACe33Dfvw+AECCvj66AT//v788+34APn8+BkJ/gAA//0Iyffx9wL/Eff9/Abh/x3e6uIFCQf49wQF\
        /vX32vUABxf7AgcI+fnpGeQCAQIHzw8HEf799QMD/P0B/Pj48ef6PhL2A+f8GAcC/OUB+fsDAQb0/R4J+gL7DPz//wMH9QAE+AEIGgT3//0KCP\
        j+BwTo8P4QA/sIBP384v3/DOQQAwwG9gIDDRj4ANLeAPby/P7/KgX31hUB+/8DBgsA+vn7+/b3uv2j5QL+BPQG//sA/fUUEPz3CSECCgfoAQQK\
        F/cKIgz5CgMT+AkIBOf53P0=
        """)

    /// By the features of the mesh network.
    static let side = Judge(
        scale: 0.0047144686, offset: 1.3477937,
        """
        +BQMAfz/CPsIBwMgFf//GOJ//+v0A/3/9f76+gP8+//7EOkKAQ36/w0W+O0V+/P4AwAJEAAPEO8DFPY9BfnxG/8MB/349ujvB/4D/gD4/v4WA+\
        YAGwkhBuQaAv0A+vz4/wAA/QMB+QL9/QIN/wsAAAL8/v4L//kK+gT9BQYYBPwE8QDy//8F/wL6/P7xARDtDd34Af//Dc/l//0JAQ4AB/T3AQ3/\
        BAEN+QcG+wD9+P/8+O4G+xYJ+gMC//wFAfv7+fbr//8I+PYWB/f5BgP//wL4EwL+AfoA9vEICfj9BAcDAgcEBwD4/QH9BfH/CgLsBwwEItUTEP\
        4V8u356fr7/voD//wAAQwICQL/APz5+AQG9gL//AML+/v0/QERAwoKCAb0/PkG7A36+zQL9wP46vMJ/wUAAP0B/w797hjd/P8A/Pz8CRIPAwL9\
        8Pz9/g3qCwQN+Pn59QH//f/5/kUaIQT6+wP5DP71+BLyCf75/t8d8vkHCAEN//wIJB0OE/4K+AAC+/r4Af8D+/kI/f0N+/4DBQD1+gr+6wEA4Q\
        T8DvcLA/v6+v8B/Pf7+P/1FfcT2MX9+gL2De0AEt4FAP8B6PkACPwB+wIDBAHz9vry8wQD/PEG9P/e/ggACQDyB+cF3wH+9wEH6Pzl+/kj7+b0\
        CgAB/Qf7BAoIAQgAAAf9AP8CBwIG+QTzB//5CvIhEQEjGxD4FAMX+fv9Dt8F//v9/wD/8fnw+/X5AwYd/QL/BfwE7/8E8Pj+CBgV9gQA+PcWFP\
        wq9Pj7Gd36AiIK/wH8/gMKA//5/wH+/wT1Af3n//gJ/fcW+wf4DgH++wD/CPcGAf//DwL5/gH/+fLz9f/3/PU4/gL8/QUxBCHP//0XCvf4AB3t\
        /ggB/APwB/L2Fer6Av35DcQb/PsX/gdaAvf6AgcDEAcA5/D87AT7AgEE9A0LDf/2Burz+v799wj7AA797ADeBgT+IQH8/uoICBAHAAkEDP7/DQ\
        AK6gHgDQ7/BPvy+/YECAn9KRv68gb//v0EAP0C8eIJAgAJ/gD0DwX8/O35AAcAAAH8CvgECvwJAO8JGvoz/fcLCOng+gkUAwsQ+xL5DQ7w/+YJ\
        CvsP/QL+5gYS/Arz/gQE8PoH9wcJ9/v7APkKAA0E2vIB7wT/8tEP/v/7FPIN9vgIEQEJ8wH2Gf36+fXbAf4E9/fq9esLBP0ABAQHEvj68O8JAv\
        78AQr/AhPz/QT88PX3D/Im+vQDDfn9Bvc8/cYoIAkM9AAPAQH68+cAHvn6HAD7BO7h+gP9Dv0C9/HVDQIYD/cFCP8Y+gAF8gYG5wv/+PT2CA3/\
        +wbA/wD4IvcDDPfzFQAbztflBQoG9xYRHOvWAgzvAP3zxNYN8/4DDAD//fb8/RM29wHP9gCuDf8KC/7jE/IYA/7/7P4ECP0DDvbrB/4C/wkK8/\
        BR/e8Z/OsCAPH99fb//wQEBPAF//EBBwoLDf0U/Ab2E/QADfMP8/8DAff25fb1BfwGayL4COg7+QX9/9fXAQMbBPwUCxMm/gHmAevo+e70
        """)

}
