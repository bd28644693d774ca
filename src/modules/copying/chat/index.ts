import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { typedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import type { Feature, Tap, TapState } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import { payloadOf, textField } from '../../../platform/telegram/ui/payload.ts';
import { fromPlainJson, toPlainJson } from '../../../platform/telegram/ui/plain-json.ts';
import { readLeastSol, readSol } from '../../../platform/telegram/ui/read-amount.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { ACCEPTABLE, COPY_DEFAULTS, type CopyRules } from '../rules/copy.ts';
import { COPY, paperSkipsView, skipsView } from './decisions-view.ts';
import { DRAFT, type Draft, TYPED, type Typed } from './draft.ts';
import { COPY_QUESTION } from './flow.ts';
import { capsOf, copyFormView, copyView, SIZES } from './view.ts';

/** Rows of the last decisions. */
const DECISIONS = 7;

const followIdOf = (tap: TapState | null): string => textField(tap, 'followId');

type Show = (ctx: BotContext, followId: string) => Promise<void>;
type Fill = (ctx: BotContext, draft: Draft) => Promise<void>;

/** Copying a followed wallet: its replay, the form, the switch, and the skips. */
export function copyFeature(deps: FeatureDeps): Feature {
  const open: Show = async ({ turn }, followId) => {
    const userId = turn.user.id;
    const shown = await deps.copying.view({ userId, followId });
    const { leader } = shown.follow;
    const [paper, history] = await Promise.all([
      deps.copying.viewPaper({ userId, leader }),
      deps.db.follows.history(leader),
    ]);
    const stateId = await deps.states.issue({ userId, feature: [COPY, 'follow'], payload: { followId } });
    await turn.screen.show(copyView(turn.words, { ...shown, paper, history, stateId }));
  };
  const fill: Fill = async ({ turn }, draft) => {
    const userId = turn.user.id;
    const { label } = await deps.follows.own({ userId, followId: draft.followId });
    const wallet = await deps.db.wallets.find(draft.walletId);
    if (wallet?.userId !== userId) throw new AppError('BUTTON_STALE', {});
    const stateId = await deps.states.issue({ userId, feature: COPY, payload: draft });
    await turn.screen.show(copyFormView(turn.words, { label, wallet: wallet.name, draft, stateId }));
  };
  const question = typedQuestion(
    COPY_QUESTION,
    async (_ctx, text, { which = '', draft = '' }) => changed(readDraft(draft), which, text),
    async (ctx, text, { which = '', draft = '' }) => fill(ctx, changed(readDraft(draft), which, text)),
  );
  return {
    name: COPY,
    commands: [],
    taps: {
      open: { act: 'reads', run: (ctx, tap) => open(ctx, followIdOf(tap)) },
      form: { act: 'reads', run: (ctx, tap) => begin(deps, ctx, followIdOf(tap), fill) },
      ...formTaps(fill, question),
      start: {
        act: ['copy-on', 'copy-stop'],
        run: (ctx, tap) => start(deps, ctx, payloadOf(DRAFT, tap?.payload)),
      },
      ...paperTaps(deps, open),
      pause: switching(deps, 'pause', open),
      stop: switching(deps, 'end', open),
      skips: { act: 'reads', run: (ctx, tap) => skips(deps, ctx, followIdOf(tap)) },
    },
    forms: [question],
    secrets: {
      pin: {
        act: 'copy-on',
        run: async (ctx, secret, payload) => {
          const draft = payloadOf(DRAFT, payload);
          await withPin(deps, ctx, pinQuestion(ctx, draft), () => switchOn(deps, ctx, draft, pinOf(secret)));
        },
      },
    },
  };
}

/** The form of the copy that is there, or of a new one with the person's own exits. */
async function begin(deps: FeatureDeps, ctx: BotContext, followId: string, fill: Fill): Promise<void> {
  const { user } = ctx.turn;
  const copy = await deps.copying.find({ userId: user.id, followId });
  const walletId = copy?.walletId ?? user.activeWalletId;
  if (walletId === null) throw new AppError('BUTTON_STALE', {});
  const { leader } = await deps.follows.own({ userId: user.id, followId });
  const paper = copy === null ? await deps.db.paperCopies.find({ userId: user.id, leader }) : null;
  const rules = copy?.rules ?? paper?.rules ?? { ...COPY_DEFAULTS, exits: user.settings.exits };
  await fill(ctx, { followId, walletId, version: copy?.version ?? null, rules });
}

function formTaps(fill: Fill, question: ReturnType<typeof typedQuestion>): Feature['taps'] {
  const change = (to: (rules: CopyRules, index: number) => Partial<CopyRules>): Tap => ({
    act: 'display',
    run: async (ctx, tap) => {
      const draft = payloadOf(DRAFT, tap?.payload);
      await fill(ctx, { ...draft, rules: { ...draft.rules, ...to(draft.rules, tap?.index ?? -1) } });
    },
  });
  const typing = (which: Typed): Tap => ({
    act: 'display',
    run: (ctx, tap) => {
      const draft = JSON.stringify(toPlainJson(payloadOf(DRAFT, tap?.payload)));
      return enterForm(ctx, question, { which, draft });
    },
  });
  return {
    size: change((_rules, index) => {
      const lamports = SIZES[index];
      return lamports === undefined ? {} : { size: { kind: 'fixed', lamports } };
    }),
    each: change(({ each }) => ({ each: !each })),
    young: change(({ young }) => ({ young: !young })),
    powers: change(({ accepted }) => ({ accepted: accepted.length === 0 ? ACCEPTABLE : [] })),
    ...Object.fromEntries(TYPED.map((which) => [`type_${which}`, typing(which)])),
  };
}

/** A copy without money: begun from the form, and ended. */
const paperTaps = (deps: FeatureDeps, open: Show): Feature['taps'] => ({
  paper: {
    act: 'display',
    run: async (ctx, tap) => {
      const { version: _, ...draft } = payloadOf(DRAFT, tap?.payload);
      await deps.copying.beginPaper({ userId: ctx.turn.user.id, ...draft });
      await open(ctx, draft.followId);
    },
  },
  paper_stop: {
    act: 'display',
    run: async (ctx, tap) => {
      const followId = followIdOf(tap);
      await deps.copying.endPaper({ userId: ctx.turn.user.id, followId });
      await open(ctx, followId);
    },
  },
});

const switching = (deps: FeatureDeps, what: 'pause' | 'end', open: Show): Tap => ({
  act: 'copy-stop',
  toasts: true,
  run: async (ctx, tap) => {
    const asked = { userId: ctx.turn.user.id, followId: followIdOf(tap) };
    await deps.copying.switchOff({ ...asked, what });
    await ctx.turn.toast(ctx.turn.words.text('toast.copy_off'));
    await open(ctx, asked.followId);
  },
});

const pinQuestion = ({ turn }: BotContext, draft: Draft): Question => ({
  to: `${COPY}:pin`,
  payload: draft,
  isProof: true,
  act: 'copy-on',
  text: turn.words.html('copy.pin', capsOf(turn.words, draft.rules)),
});

/** The PIN is asked for each time that it may do more than before, also within unlocked hours. */
async function start(deps: FeatureDeps, ctx: BotContext, draft: Draft): Promise<void> {
  try {
    await switchOn(deps, ctx, draft, null);
  } catch (error) {
    if (!hasCode(error, 'PIN_REQUIRED')) throw error;
    await askSecret(deps, ctx, pinQuestion(ctx, draft));
  }
}

async function switchOn(
  deps: FeatureDeps,
  { turn }: BotContext,
  draft: Draft,
  pin: string | null,
): Promise<void> {
  await deps.copying.switchOn({ userId: turn.user.id, ...draft, pin });
  await turn.go(COPY, 'open', { followId: draft.followId });
}

async function skips(deps: FeatureDeps, { turn }: BotContext, followId: string): Promise<void> {
  const userId = turn.user.id;
  const { label, leader } = await deps.follows.own({ userId, followId });
  const copy = await deps.copying.find({ userId, followId });
  const stateId = await deps.states.issue({ userId, feature: COPY, payload: { followId } });
  if (copy === null) {
    const paper = await deps.copying.viewPaper({ userId, leader });
    const rows = await withTokens(deps, paper?.latest.slice(0, DECISIONS) ?? []);
    await turn.screen.show(paperSkipsView(turn.words, { label, rows, stateId }));
    return;
  }
  const rows = await withTokens(deps, await deps.db.copies.latest(copy.id, DECISIONS));
  await turn.screen.show(skipsView(turn.words, { label, rows, stateId }));
}

/** Decisions with their tokens; null where one cannot be read now. */
function withTokens<T extends { readonly mint: Address }>(
  { chain }: Pick<FeatureDeps, 'chain'>,
  trades: readonly T[],
): Promise<readonly { readonly trade: T; readonly token: Token | null }[]> {
  return Promise.all(
    trades.map(async (trade) => ({ trade, token: await chain.token(trade.mint).catch(() => null) })),
  );
}

const readDraft = (text: string): Draft => payloadOf(DRAFT, fromPlainJson(JSON.parse(text)));

/** The draft with a typed number. Throws AMOUNT_INVALID, COPY_REFUSED. */
function changed(draft: Draft, which: string, text: string): Draft {
  const { rules } = draft;
  if (which === 'least') return { ...draft, rules: { ...rules, leastLamports: readLeastSol(text) } };
  const typed = readSol(text);
  const isSize = which === 'size';
  if (typed.kind !== 'exact' && !isSize) throw notANumber(text);
  if (isSize) return { ...draft, rules: { ...rules, size: sizeOf(typed, text) } };
  const lamports = typed.kind === 'exact' ? typed.units : 0n;
  const caps: Readonly<Record<string, Partial<CopyRules>>> = {
    trade: { tradeLamports: lamports },
    day: { dayLamports: lamports },
    total: { totalLamports: lamports },
  };
  return { ...draft, rules: { ...rules, ...caps[which] } };
}

function sizeOf(typed: ReturnType<typeof readSol>, text: string): CopyRules['size'] {
  if (typed.kind === 'exact') return { kind: 'fixed', lamports: typed.units };
  if (typed.kind === 'max') return { kind: 'share', percent: 100 };
  if (typed.bps % 100 !== 0) throw new AppError('COPY_REFUSED', { kind: 'size' });
  if (typed.bps === 0) throw notANumber(text);
  return { kind: 'share', percent: typed.bps / 100 };
}

const notANumber = (text: string): AppError<'AMOUNT_INVALID'> =>
  new AppError('AMOUNT_INVALID', { given: text.slice(0, 32), reason: 'not-a-number', decimals: 9 });
