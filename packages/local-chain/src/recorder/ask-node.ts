const TIMEOUT_MS = 60_000;
/** A longer answer is no answer of a node. */
const MOST_BYTES = 500_000_000;

/** A node's answer as it came. `isJson` is false for pages and for every status but 200. */
export type NodeAnswer = {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly type: string;
  readonly text: string;
  readonly isJson: boolean;
};

/**
 * Posts a body to the node at `url`, whose user and password become a header. Null when no node answers. No header of the asking client
 * is sent on.
 */
export async function askNode(url: string, body: string): Promise<NodeAnswer | null> {
  const target = new URL(url);
  const { username, password } = target;
  target.username = '';
  target.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await textOf(response);
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      type: response.headers.get('content-type') ?? 'text/plain',
      text,
      isJson: response.status === 200 && isJson(text),
    };
  } catch {
    return null;
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
