import { type OpenSocket, openWebSocket } from '../hot/web-socket.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Keeps subscriptions of one connection up: it is opened anew after every loss, and `messages` are sent again each time. Notices in between
 * are lost, which is why a notice is only a hint. `told` gets the place of the message that each notice answers, null where that is not
 * known yet, and the notice's result. `begun` gets the place of each message whose subscription has begun: earlier events had no notice.
 */
export function keepSubscribed(
  url: string,
  messages: () => readonly { readonly method: string; readonly params: readonly unknown[] }[],
  told: (message: number | null, result: unknown) => void,
  open: OpenSocket = openWebSocket,
  begun: (message: number) => void = () => undefined,
): { readonly stop: () => void } {
  let stopped = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let socket: ReturnType<OpenSocket> | null = null;

  const connect = (): void => {
    timer = null;
    const messageOf = new Map<number, number>();
    const mine = open(url, {
      opened: () => {
        pauseMs = FIRST_PAUSE_MS;
        for (const [id, message] of messages().entries())
          mine.send(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
      },
      text: (text) => {
        const notice = parsed(text);
        const params = at(notice, 'params');
        const subscription = at(params, 'subscription');
        const [id, result] = [at(notice, 'id'), at(notice, 'result')];
        if (typeof subscription === 'number') told(messageOf.get(subscription) ?? null, at(params, 'result'));
        else if (typeof id === 'number' && typeof result === 'number') {
          messageOf.set(result, id);
          begun(id);
        }
      },
      pong: () => undefined,
      closed: again,
    });
    socket = mine;
  };
  const again = (): void => {
    if (stopped || timer !== null) return;
    timer = setTimeout(connect, pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };
  connect();
  return {
    stop: () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      socket?.end();
    },
  };
}

/** Null for a notice that cannot be read: it counts as lost. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
