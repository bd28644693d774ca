// Bars from any datafeed that speaks UDF, the plain HTTP convention of charting libraries.

/** Bars of a resolution last so many seconds. @param {string} resolution minutes, or D and nD, W and nW */
export function secondsOf(resolution) {
  const [, count = '', unit = ''] = /^(\d*)([DW]?)$/.exec(resolution) ?? [];
  if (count === '' && unit === '') throw new Error(`no resolution: ${resolution}`);
  return Number(count || 1) * { '': 60, D: 86_400, W: 604_800 }[unit];
}

/** Columns as bars. Servers may leave volume out, and some leave out everything but the close. */
export function barsOf(answer) {
  if (answer.s === 'no_data') return [];
  if (answer.s !== 'ok') throw new Error(answer.errmsg ?? 'the datafeed answered neither ok nor no_data');
  return answer.t.map((time, at) => ({
    time,
    open: (answer.o ?? answer.c)[at],
    high: (answer.h ?? answer.c)[at],
    low: (answer.l ?? answer.c)[at],
    close: answer.c[at],
    volume: answer.v?.[at] ?? 0,
  }));
}

/**
 * A client of one datafeed. `url` is where `/config`, `/symbols` and `/history` stand. Everything throws where the feed cannot be
 * reached or says an error.
 */
export function createUdfClient({ url, fetch: ask = globalThis.fetch.bind(globalThis), now = Date.now }) {
  const get = async (path, query) => {
    const text = new URLSearchParams(query).toString();
    const response = await ask(`${url}${path}${text === '' ? '' : `?${text}`}`);
    // An error of a symbol comes as 200 or as a status, by server; either has a body that says it.
    const body = await response.json().catch(() => null);
    if (!response.ok) throw new Error(body?.errmsg ?? `the datafeed answered ${response.status}`);
    return body;
  };
  const bars = async ({ symbol, resolution, from, to, countback }) =>
    barsOf(
      await get('/history', {
        symbol,
        resolution,
        from,
        to,
        ...(countback === undefined ? {} : { countback }),
      }),
    );
  return {
    config: () => get('/config', {}),
    /** Unix seconds by the server’s clock, for readers whose own is wrong. */
    time: async () => Number(await get('/time', {})),
    /** How the symbol is drawn: `ticker`, `pricescale`, `supported_resolutions`. */
    symbol: (symbol) => get('/symbols', { symbol }),
    bars,
    /**
     * The newest `count` bars. A server that does not know `countback` gives those of the time that they would take, and where
     * nothing happened in it, those before `nextTime`.
     */
    newest: async ({ symbol, resolution, count }) => {
      const to = Math.floor(now() / 1_000) + secondsOf(resolution);
      const from = to - count * secondsOf(resolution);
      const question = { symbol, resolution, from, to, countback: count };
      const answer = await get('/history', question);
      if (answer.s === 'no_data' && answer.nextTime !== undefined) {
        const end = answer.nextTime + secondsOf(resolution);
        return bars({ ...question, from: end - count * secondsOf(resolution), to: end });
      }
      return barsOf(answer).slice(-count);
    },
    /** Bars that are new or have changed since the last one that is known, which is among them. */
    since: ({ symbol, resolution, time }) =>
      bars({ symbol, resolution, from: time, to: Math.floor(now() / 1_000) + secondsOf(resolution) }),
  };
}
