// Adds to the search of Material for MkDocs: Chinese without a dictionary, and pages that were opened from a folder.
{
  // The index has each Chinese character as a word (mkdocs.yml), so a query is split into characters too.
  const QUERY = 2;
  const cut = (message) => (message.type === QUERY && typeof message.data === "string"
    ? { ...message, data: message.data.replace(/(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])/g, " ") } : message);
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...more) {
    return post.call(this, cut(message), ...more);
  };

  // A browser starts no worker for a page from a folder. The search then runs in a frame; by the name IFrameWorker it
  // finds its files.
  if (location.protocol === "file:") {
    window.IFrameWorker = window.Worker = class extends EventTarget {
      constructor(url) {
        super();
        const frame = document.createElement("iframe");
        frame.hidden = true;
        document.body.append(frame);
        const inside = (this.inside = frame.contentWindow);
        const load = (source) => new Promise((resolve) => {
          const script = inside.document.createElement("script");
          Object.assign(script, { src: source, onload: resolve });
          inside.document.body.append(script);
        });
        inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        inside.importScripts = (...sources) =>
          sources.reduce((before, each) => before.then(() => load(each)), Promise.resolve());
        this.ready = load(url);
      }

      set onmessage(handler) {
        this.addEventListener("message", handler);
      }

      postMessage(message) {
        this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data: cut(message) })));
      }

      terminate() {}
    };
  }
}
