import { type Html, html } from '../../../platform/http/look/html.ts';
import { AFFECTED, type Incident } from '../rules/incident.ts';
import { type DayKind, type DayShown, historyOf } from '../rules/part-history.ts';
import { HISTORY_DAYS } from '../rules/retention.ts';
import type { StatusHistory } from '../use/status-history.ts';

/** A part's name for people. */
export function partName(part: string): string {
  return Object.entries(AFFECTED).find(([name]) => name === part)?.[1] ?? part;
}

const LEGEND: readonly (readonly [DayKind, string])[] = [
  ['whole', 'no fault'],
  ['thin', 'no fault, measured in part'],
  ['some', 'down for a short time'],
  ['bad', 'down for an hour or for most of it'],
  ['none', 'no data'],
];

/** A bar of 90 days for each part that answers now or has a history; each day says its own in words. */
export function historyCard(history: StatusHistory | null, parts: readonly string[], now: number): Html {
  if (history === null)
    return html`<section class="card"><h2>${HISTORY_DAYS} days</h2><p class="soft">They cannot be read just now.</p></section>`;
  const names = [...new Set([...parts, ...history.days.map(({ part }) => part)])];
  return html`<section class="card"><h2>${HISTORY_DAYS} days</h2>${names.map((part) => partBar(part, history, now))}<ul class="key-to">${LEGEND.map(([kind, words]) => html`<li><i class="day ${kind}" aria-hidden="true"></i>${words}</li>`)}</ul><p class="soft small">Each worker looks at every part once a minute. The API, the bot, the indexer and the signer say themselves that they run. The worker was down in the minutes in which none looked. Days are UTC.</p></section>`;
}

function partBar(part: string, history: StatusHistory, now: number): Html {
  const { days, answeredBps } = historyOf(part, history.days, now);
  const [first, last] = [days[0], days.at(-1)];
  return html`<div class="history"><h3>${partName(part)}</h3><p class="soft small">${answeredText(answeredBps)}</p><ol aria-label="${partName(part)}, day by day">${days.map((day) => html`<li class="day ${day.kind}" title="${dayText(day)}"><span class="unseen">${dayText(day)}</span></li>`)}</ol><p class="axis" aria-hidden="true"><span>${first?.day ?? ''}</span><span>${last?.day ?? ''}</span></p></div>`;
}

function answeredText(bps: number | null): string {
  if (bps === null) return 'Nothing was measured yet.';
  return `Answered in ${(bps / 100).toFixed(2)} % of the minutes that were measured.`;
}

function dayText({ day, kind, measured, down }: DayShown): string {
  const minutes = (count: number): string =>
    `${count.toLocaleString('en-US')} ${count === 1 ? 'minute' : 'minutes'}`;
  switch (kind) {
    case 'none':
      return `${day}: no data`;
    case 'whole':
      return `${day}: no fault`;
    case 'thin':
      return `${day}: no fault in the ${minutes(measured)} that were measured`;
    case 'some':
    case 'bad':
      return `${day}: down in ${minutes(down)} of ${minutes(measured)}`;
  }
}

/** What an operator told of outages, newest first; open ones say so. */
export function incidentsCard(history: StatusHistory | null): Html {
  if (history === null)
    return html`<section class="card"><h2>Incidents</h2><p class="soft">They cannot be read just now.</p></section>`;
  if (history.incidents.length === 0)
    return html`<section class="card"><h2>Incidents</h2><p class="soft">The operator has told of none in ${HISTORY_DAYS} days.</p></section>`;
  return html`<section class="card"><h2>Incidents</h2>${history.incidents.map(incidentPart)}</section>`;
}

function incidentPart({ title, parts, openedAt, closedAt, notes }: Incident): Html {
  const state =
    closedAt === null
      ? html`<span class="chip care">! goes on</span>`
      : html`<span class="chip ok">✓ over</span>`;
  const span = html`${moment(openedAt)} ${closedAt === null ? '' : html`to ${moment(closedAt)}`}`;
  return html`<article class="incident"><div class="head"><h3>${title}</h3>${state}</div><p class="soft small">${span}${parts.length > 0 && ` · ${parts.map(partName).join(', ')}`}</p>${notes.length > 0 && html`<ul>${notes.map(({ at, text }) => html`<li><p class="soft small">${moment(at)}</p><p>${text}</p></li>`)}</ul>`}</article>`;
}

function moment(at: number): Html {
  const text = new Date(at).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
