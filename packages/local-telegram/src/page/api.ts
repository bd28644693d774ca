import type { TelegramEvent } from '../core/events.ts';
import type { PageState } from '../http/sim-state.ts';

/** The first line of the event stream: later events have a higher `rev`. */
export type StreamEvent = TelegramEvent | { readonly kind: 'hello'; readonly rev: number };

export interface Api {
  readonly post: (action: string, body: unknown) => Promise<Readonly<Record<string, unknown>>>;
  readonly state: () => Promise<PageState>;
  readonly listen: (onEvent: (event: StreamEvent) => void, onStatus: (connected: boolean) => void) => void;
}

export function createApi(token: string): Api {
  const headers = { 'x-sim-token': token };
  return {
    post: async (action, body) => {
      const response = await fetch(`/sim/${action}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Readonly<Record<string, unknown>>;
      if (!response.ok) throw new Error(String(answer['error'] ?? `The server answered ${response.status}.`));
      return answer;
    },
    state: async () => (await (await fetch('/sim/state', { headers })).json()) as PageState,
    listen: (onEvent, onStatus) => {
      const source = new EventSource(`/sim/events?t=${encodeURIComponent(token)}`);
      source.onopen = () => onStatus(true);
      source.onmessage = (event: MessageEvent<string>) => onEvent(JSON.parse(event.data) as StreamEvent);
      source.onerror = () => {
        onStatus(false);
        // A restarted server has a new page token: the stream is closed for good, and only a fresh page can go on.
        if (source.readyState === EventSource.CLOSED) setTimeout(reloadWhenUp, 1000);
      };
    },
  };
}

function reloadWhenUp(): void {
  fetch('/').then(
    () => location.reload(),
    () => setTimeout(reloadWhenUp, 1000),
  );
}
