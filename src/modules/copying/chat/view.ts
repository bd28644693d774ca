import type { Words } from '../../../compose/texts/words.ts';
import { type Address, shortAddress } from '../../../core/address/address.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { bold, code, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import {
  act,
  carriesOut,
  freshNav,
  type Keyboard,
  keyboard,
  ticked,
} from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcMinute } from '../../../platform/telegram/ui/time.ts';
import type { Follow } from '../../follows/rules/follow.ts';
import { exitsText } from '../../settings/chat/exits-text.ts';
import { hasExits } from '../../settings/rules/exit-set.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Copy, CopyRules } from '../rules/copy.ts';
import type { CopyNotice } from '../rules/copy-notice.ts';
import type { CopyTrade } from '../rules/copy-trade.ts';
import type { Skip } from '../rules/judge-copy.ts';
import type { Replay } from '../rules/replay.ts';
import type { CopySpent } from '../store-port.ts';
import type { Draft } from './draft.ts';

export const COPY = 'copy';
const LABEL = 10;
const ROW_SYMBOL = 6;
/** Sizes of a purchase that have a button. */
export const SIZES = [50_000_000n, 100_000_000n, 500_000_000n] as const;

/** A followed wallet with its replay and its copy. */
export function copyView(
  words: Words,
  facts: {
    readonly follow: Pick<Follow, 'label' | 'leader'>;
    readonly copy: Copy | null;
    readonly spent: CopySpent | null;
    readonly replay: Replay;
    readonly stateId: string;
  },
): View {
  const { follow, copy, spent, stateId } = facts;
  const on = (label: string, action: string) => act(label, COPY, action, stateId);
  const figures = figuresOf(words.language);
  return {
    text: lines(
      html`${bold(fitted(follow.label, LABEL))} · ${code(shortAddress(follow.leader))} · ${words.text(`copy.state.${copy?.status ?? 'none'}`)}`,
      copy?.reason != null && words.html(`copy.paused.${copy.reason}`),
      copy !== null &&
        spent !== null &&
        words.html('copy.spent', {
          today: figures.sol(spent.today),
          all: figures.sol(spent.inAll),
          total: figures.sol(copy.rules.totalLamports),
        }),
      ...replayLines(words, facts.replay),
      words.html('copy.warning'),
    ),
    keyboard: keyboard(
      copy === null
        ? [act(words.text('btn.copy_form'), COPY, 'form', stateId)]
        : [
            on(words.text(copy.status === 'ON' ? 'btn.copy_edit' : 'btn.copy_resume'), 'form'),
            copy.status === 'ON' && on(words.text('btn.copy_pause'), 'pause'),
            on(words.text('btn.copy_stop'), 'stop'),
          ],
      [
        copy !== null && on(words.text('btn.copy_skips'), 'skips'),
        on(words.text('btn.refresh'), 'open'),
        act(words.text('btn.back'), 'follow', 'here_one', stateId),
      ],
    ),
  };
}

function replayLines(words: Words, replay: Replay): readonly (Html | false)[] {
  const percent = (bps: number | null): string =>
    bps === null ? 'n/a' : figuresOf(words.language).change(BigInt(bps), 10_000n);
  const span = words.html('copy.span', { count: replay.priced });
  if (replay.isFew) return [span, words.html('copy.few', { count: replay.priced })];
  return [
    span,
    words.html('copy.results', { theirs: percent(replay.theirsBps), yours: percent(replay.yoursBps) }),
    words.html('copy.best', { percent: percent(replay.withoutBestBps) }),
    words.html('copy.entry', { percent: percent(replay.dearerBps) }),
    words.html('copy.halves', {
      later: percent(replay.laterHalfBps),
      earlier: percent(replay.earlierHalfBps),
    }),
  ];
}

type FormFacts = {
  readonly label: string;
  readonly wallet: string;
  readonly draft: Draft;
  readonly stateId: string;
};

/** The rules of a copy as they would be agreed to. */
export function copyFormView(words: Words, facts: FormFacts): View {
  const { rules } = facts.draft;
  const { size } = rules;
  const figures = figuresOf(words.language);
  const yes = (is: boolean): string => words.text(is ? 'copy.yes' : 'copy.no');
  const names = { label: fitted(facts.label, LABEL), wallet: fitted(facts.wallet, LABEL) };
  return {
    text: lines(
      words.html('copy.form_title', names),
      size.kind === 'fixed'
        ? words.html('copy.form_fixed', { sol: figures.sol(size.lamports) })
        : words.html('copy.form_share', { percent: figures.percent(size.percent * 100) }),
      words.html('copy.form_caps', capsOf(words, rules)),
      words.html('copy.form_least', { sol: figures.sol(rules.leastLamports) }),
      words.html(rules.each ? 'copy.form_each' : 'copy.form_once'),
      words.html('copy.form_accepts', { young: yes(rules.young), powers: yes(rules.accepted.length > 0) }),
      hasExits(rules.exits)
        ? words.html('copy.form_exits', { exits: exitsText(words, rules.exits) })
        : words.html('copy.form_no_exits'),
      words.html('copy.form_sells'),
    ),
    keyboard: formKeyboard(words, facts),
  };
}

function formKeyboard(words: Words, { draft, stateId }: FormFacts): Keyboard {
  const { rules, version } = draft;
  const { size } = rules;
  const on = (label: string, action: string) => act(label, COPY, action, stateId);
  const start = words.text(version === null ? 'btn.copy_start' : 'btn.copy_save');
  const sizes = SIZES.map((lamports, index) => {
    const label = figuresOf(words.language).sol(lamports).replace(' SOL', '');
    return on(ticked(label, size.kind === 'fixed' && size.lamports === lamports), `size-${index}`);
  });
  return keyboard(
    [...sizes, on('X', 'type_size')],
    [
      on(words.text('btn.copy_trade'), 'type_trade'),
      on(words.text('btn.copy_day'), 'type_day'),
      on(words.text('btn.copy_total'), 'type_total'),
    ],
    [
      on(words.text('btn.copy_least'), 'type_least'),
      on(ticked(words.text('btn.copy_once'), !rules.each), 'each'),
    ],
    [
      on(ticked(words.text('btn.copy_young'), rules.young), 'young'),
      on(ticked(words.text('btn.copy_powers'), rules.accepted.length > 0), 'powers'),
    ],
    [carriesOut(start, COPY, 'start', stateId), on(words.text('btn.back'), 'open')],
  );
}

/** The limits, as the form and the question for the PIN say them. */
export function capsOf(words: Words, { tradeLamports, dayLamports, totalLamports }: CopyRules) {
  const figures = figuresOf(words.language);
  return {
    trade: figures.sol(tradeLamports),
    day: figures.sol(dayLamports),
    total: figures.sol(totalLamports),
  };
}

export type ShownDecision = { readonly trade: CopyTrade; readonly token: Token | null };

/** The last decisions of a copy, each skip with its number. */
export function skipsView(
  words: Words,
  facts: { readonly label: string; readonly rows: readonly ShownDecision[]; readonly stateId: string },
): View {
  const { rows, stateId } = facts;
  return {
    text: lines(
      words.html('copy.skips_title', { label: fitted(facts.label, LABEL) }),
      rows.length === 0 && words.html('copy.skips_none'),
      ...rows.map(({ trade, token }) =>
        words.html(`copy.row.${trade.status}`, {
          at: utcMinute(trade.seenAt).slice(-5),
          symbol: symbolOf(trade.mint, token),
          amount: trade.side === 'buy' ? figuresOf(words.language).sol(trade.amount) : '',
          why: trade.skip === null ? '' : whyText(words, trade.skip),
        }),
      ),
    ),
    keyboard: keyboard([
      act(words.text('btn.refresh'), COPY, 'skips', stateId),
      act(words.text('btn.back'), COPY, 'open', stateId),
    ]),
  };
}

const symbolOf = (mint: Address, token: Token | null): string =>
  token === null ? shortAddress(mint) : fitted(displaySymbol(token), ROW_SYMBOL);

/** `pool $3.1K, limit $10K`: the reason with its number and the limit that it broke. */
export function whyText(words: Words, { reason, value, limit }: Skip): string {
  const why = words.text(`copy.skip.${reason}`);
  if (value === null || limit === null) return why;
  const shown = (number: bigint): string => numberText(words, reason, number);
  return words.text('copy.why', { why, value: shown(value), limit: shown(limit) });
}

function numberText(words: Words, reason: Skip['reason'], number: bigint): string {
  const figures = figuresOf(words.language);
  if (reason === 'late') return `${figures.count(number / 1_000n)} s`;
  if (reason === 'liquidity') return figures.compact(number * 1_000_000n);
  if (reason === 'dearer' || reason === 'round-trip') return figures.percent(Number(number));
  return figures.sol(number).replace(' SOL', '');
}

/** A copy paused by itself, or a sale that does not come about. */
export function copyNoticeView(
  words: Words,
  told: { readonly label: string; readonly notice: CopyNotice; readonly token: Token | null },
): View {
  const { notice, token } = told;
  return {
    text:
      notice.event === 'paused'
        ? words.html('copy.told_paused', {
            label: told.label,
            why: notice.code === null ? '' : words.text(`copy.paused.${notice.code}`),
          })
        : words.html('copy.told_stuck', {
            label: told.label,
            symbol: notice.mint === null ? '' : symbolOf(notice.mint, token),
          }),
    keyboard: keyboard([freshNav(words.text('btn.following'), 'follow', 'open')]),
  };
}
