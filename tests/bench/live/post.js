// HTTP for both sides: connections are kept, because making matches is not what is measured.

const http = require("node:http");

const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

/** Send JSON, get JSON. */
function post(url, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method: "POST", agent, headers: { "content-type": "application/json", ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk) => (text += chunk));
        answer.on("end", () =>
          answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(`${url}: ${answer.statusCode} ${text}`)),
        );
      },
    );
    // A kept connection may be closed by the server in the moment in which it is used again.
    request.on("error", (error) => (request.reusedSocket ? post(url, body, headers).then(resolve, reject) : reject(error)));
    request.end(JSON.stringify(body));
  });
}

module.exports = { post };
