import { type Html, html } from '../../../platform/http/look/html.ts';
import type { ApiUsage } from '../store/api-usage-store-port.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const HEIGHT = 120;
const STEP = 20;
const BAR = 14;

const grouped = (value: number): string => value.toLocaleString('en-US');
const isRefused = ({ status }: ApiUsage): boolean => status >= 400;
const sum = (rows: readonly ApiUsage[]): number => rows.reduce((total, { requests }) => total + requests, 0);

/** Bars per day: answered, and on top of it refused. Drawn by the server; each bar says its numbers. */
export function usageChart(usage: readonly ApiUsage[], now: number): Html {
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(now - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const perDay = days.map((day) => {
    const rows = usage.filter((row) => row.day === day);
    const refused = sum(rows.filter(isRefused));
    return { day, refused, fine: sum(rows) - refused };
  });
  const most = Math.max(1, ...perDay.map(({ fine, refused }) => fine + refused));
  const heightOf = (requests: number): number =>
    requests === 0 ? 0 : Math.max(2, Math.round((requests / most) * HEIGHT));
  const bars = perDay.map(({ day, fine, refused }, index) => {
    const [low, high] = [heightOf(fine), heightOf(refused)];
    const x = index * STEP + 3;
    return html`<g><title>${day}: ${grouped(fine)} answered, ${grouped(refused)} refused</title><rect class="base" x="${x}" y="${HEIGHT}" width="${BAR}" height="2"/><rect class="fine" x="${x}" y="${HEIGHT - low}" width="${BAR}" height="${low}" rx="2"/><rect class="refused" x="${x}" y="${HEIGHT - low - high}" width="${BAR}" height="${high}" rx="2"/></g>`;
  });
  const total = sum(usage);
  return html`<p class="small"><span class="swatch"></span>${grouped(total - sum(usage.filter(isRefused)))} answered<span class="swatch two"></span>${grouped(sum(usage.filter(isRefused)))} refused</p>
<svg class="days" viewBox="0 -12 ${DAYS * STEP} ${HEIGHT + 16}" role="img" aria-label="Requests per day, ${days[0] ?? ''} to ${days.at(-1) ?? ''}; ${grouped(most)} on the busiest day">${bars}</svg>
<p class="axis"><span>${days[0] ?? ''}</span><span>most: ${grouped(most)} a day</span><span>today</span></p>`;
}

/** Sums by route and status. */
export function usageTable(usage: readonly ApiUsage[]): Html {
  const sums = new Map<
    string,
    { readonly route: string; readonly status: number; readonly requests: number }
  >();
  for (const { route, status, requests } of usage) {
    const id = `${route} ${status}`;
    sums.set(id, { route, status, requests: requests + (sums.get(id)?.requests ?? 0) });
  }
  const rows = [...sums.values()].toSorted((a, b) => a.route.localeCompare(b.route) || a.status - b.status);
  return html`<table class="stack"><thead><tr><th>Route</th><th>Answer</th><th class="number">Requests</th></tr></thead><tbody>${rows.map(
    ({ route, status, requests }) =>
      html`<tr><td data-label="Route"><code>${route}</code></td><td data-label="Answer"><span class="chip ${toneOf(status)}">${wordsOf(status)}</span></td><td data-label="Requests" class="number">${grouped(requests)}</td></tr>`,
  )}</tbody></table>`;
}

function toneOf(status: number): string {
  if (status === 0) return '';
  return status < 400 ? 'ok' : status === 429 ? 'care' : 'bad';
}

function wordsOf(status: number): string {
  if (status === 0) return 'not noted';
  return status < 400 ? `✓ ${status}` : status === 429 ? '! 429 too many' : `✕ ${status}`;
}
