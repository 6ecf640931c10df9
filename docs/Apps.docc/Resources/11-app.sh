benji sandbox app
