import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
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
import { HISTORY, type LeaderHistory } from '../../follows/rules/leader-history.ts';
import { exitsText } from '../../settings/chat/exits-text.ts';
import { hasExits } from '../../settings/rules/exit-set.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Copy, CopyRules } from '../rules/copy.ts';
import type { CopyNotice } from '../rules/copy-notice.ts';
import type { Replay } from '../rules/replay.ts';
import type { CopySpent } from '../store-port.ts';
import type { PaperOnScreen } from '../use/paper-copies.ts';
import { COPY, LABEL, symbolOf } from './decisions-view.ts';
import type { Draft } from './draft.ts';

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
    /** The copy without money; null where there is none. */
    readonly paper: Pick<PaperOnScreen, 'copy' | 'result'> | null;
    /** How far the wallet's past was read; null where that was not begun. */
    readonly history: LeaderHistory | null;
    readonly stateId: string;
  },
): View {
  const { follow, copy, spent, paper, history, stateId } = facts;
  const on = (label: string, action: string) => act(label, COPY, action, stateId);
  const figures = figuresOf(words.language);
  return {
    text: lines(
      html`${bold(fitted(follow.label, LABEL))} · ${code(shortAddress(follow.leader))} · ${words.text(`copy.state.${copy?.status ?? (paper === null ? 'none' : 'paper')}`)}`,
      copy?.reason != null && words.html(`copy.paused.${copy.reason}`),
      copy !== null &&
        spent !== null &&
        words.html('copy.spent', {
          today: figures.sol(spent.today),
          all: figures.sol(spent.inAll),
          total: figures.sol(copy.rules.totalLamports),
        }),
      ...(paper === null ? [] : paperLines(words, paper)),
      ...replayLines(words, facts.replay),
      history !== null && historyLine(words, history),
      words.html('copy.warning'),
    ),
    keyboard: keyboard(
      copy === null
        ? [
            on(words.text(paper === null ? 'btn.copy_form' : 'btn.copy_real'), 'form'),
            paper !== null && act(words.text('btn.paper_stop'), COPY, 'paper_stop', stateId),
          ]
        : [
            on(words.text(copy.status === 'ON' ? 'btn.copy_edit' : 'btn.copy_resume'), 'form'),
            copy.status === 'ON' && on(words.text('btn.copy_pause'), 'pause'),
            on(words.text('btn.copy_stop'), 'stop'),
          ],
      [
        (copy !== null || paper !== null) && on(words.text('btn.copy_skips'), 'skips'),
        on(words.text('btn.refresh'), 'open'),
        act(words.text('btn.back'), 'follow', 'here_one', stateId),
      ],
    ),
  };
}

/** How far back the replay's trades reach, and why no further. */
function historyLine(words: Words, { ended, reached, reads }: LeaderHistory): Html {
  const at = utcMinute(reached).slice(5);
  return ended === null
    ? words.html('copy.past_reading', { at, reads, most: HISTORY.reads })
    : words.html(`copy.past_${ended}`, { at });
}

/** What the copy without money did, and what came of it. */
function paperLines(words: Words, { copy, result }: Pick<PaperOnScreen, 'copy' | 'result'>): readonly Html[] {
  const figures = figuresOf(words.language);
  const { bought, sold, skipped, paidLamports, gainLamports } = result;
  return [
    words.html('copy.paper_counts', { since: utcMinute(copy.since).slice(5), bought, sold, skipped }),
    words.html('copy.paper_result', {
      percent: paidLamports === 0n ? 'n/a' : figures.change(gainLamports, paidLamports),
      sol: figures.signedSol(gainLamports),
    }),
  ];
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
    [
      carriesOut(start, COPY, 'start', stateId),
      version === null
        ? act(words.text('btn.paper_start'), COPY, 'paper', stateId)
        : on(words.text('btn.back'), 'open'),
    ],
    version === null && [on(words.text('btn.back'), 'open')],
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
