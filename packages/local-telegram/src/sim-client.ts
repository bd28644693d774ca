import { Agent, request } from 'node:http';
import type { PersonState } from './http/sim-state.ts';
import type { SimConnection } from './sim-connection.ts';

/** Connects to a server in any process of this machine. `url` is its page; the token is read from there, as a browser does. */
export async function connectSim(url: string): Promise<SimConnection> {
  const { origin } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const page = await send(agent, `${origin}/`, 'GET', {});
  const token = /<meta name="sim-token" content="([A-Za-z0-9_-]+)">/.exec(page.toString('utf8'))?.[1];
  if (token === undefined) throw new Error(`Expected the chat page of a local Telegram at ${url}.`);
  const headers = { 'x-sim-token': token };
  const post = async (action: string, body: unknown): Promise<void> => {
    await send(agent, `${origin}/sim/${action}`, 'POST', { ...headers, origin }, JSON.stringify(body));
  };
  return {
    meet: (user) => post('user', { user }),
    say: (u, text) => post('say', { u, text }),
    sendPhoto: (u, bytes, caption) =>
      post('photo', { u, caption, base64: Buffer.from(bytes).toString('base64') }),
    send: (u, content) => post('send', { u, content }),
    start: (u, payload) => post('start', { u, ...(payload === undefined ? {} : { payload }) }),
    tap: (u, messageId, data) => post('tap', { u, messageId, data }),
    block: (u, blocked) => post('block', { u, blocked }),
    read: async (u, after, waitMs) => {
      const path = `/sim/state?u=${u}&after=${after}&wait=${Math.ceil(waitMs)}`;
      const text = await send(agent, `${origin}${path}`, 'GET', headers);
      return JSON.parse(text.toString('utf8')) as PersonState;
    },
    file: (fileId) => send(agent, `${origin}/sim/file/${encodeURIComponent(fileId)}`, 'GET', headers),
  };
}

/** One request; rejects with the server's own sentence for anything but a 200. */
function send(
  agent: Agent,
  url: string,
  method: 'GET' | 'POST',
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request(url, { method, agent, headers: { ...headers, ...type } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(answer);
        else
          reject(
            new Error(
              `${method} ${new URL(url).pathname}: ${response.statusCode} ${answer.toString('utf8')}`,
            ),
          );
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
