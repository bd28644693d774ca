/** One bar; `time` in Unix seconds of its beginning. */
export type UdfBar = {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
};

/** The answer of `/history`. */
export type UdfHistory = {
  readonly s: string;
  readonly t?: readonly number[];
  readonly o?: readonly number[];
  readonly h?: readonly number[];
  readonly l?: readonly number[];
  readonly c?: readonly number[];
  readonly v?: readonly number[];
  readonly nextTime?: number;
  readonly errmsg?: string;
};

type Series = { readonly symbol: string; readonly resolution: string };

export function secondsOf(resolution: string): number;
export function barsOf(answer: UdfHistory): readonly UdfBar[];
export function createUdfClient(options: {
  readonly url: string;
  readonly fetch?: (url: string) => Promise<Response>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}): {
  config(): Promise<Readonly<Record<string, unknown>>>;
  time(): Promise<number>;
  symbol(symbol: string): Promise<Readonly<Record<string, unknown>>>;
  bars(
    question: Series & { readonly from: number; readonly to: number; readonly countback?: number },
  ): Promise<readonly UdfBar[]>;
  newest(question: Series & { readonly count: number }): Promise<readonly UdfBar[]>;
  since(question: Series & { readonly time: number }): Promise<readonly UdfBar[]>;
};
