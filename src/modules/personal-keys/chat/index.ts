import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address as addressOf } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { typedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import type { Feature, Tap } from '../../../platform/telegram/feature.ts';
import { askSecret, pinOf, type Question, withPin } from '../../../platform/telegram/secret/ask-pin.ts';
import type { Secret } from '../../../platform/telegram/secret/prompts.ts';
import { code } from '../../../platform/telegram/ui/html.ts';
import { payloadOf, textList } from '../../../platform/telegram/ui/payload.ts';
import { fromPlainJson, toPlainJson } from '../../../platform/telegram/ui/plain-json.ts';
import { readSol } from '../../../platform/telegram/ui/read-amount.ts';
import { ipOf, KEY_DAYS, type KeyTerms, RIGHTS } from '../rules/personal-key.ts';
import { DRAFT, type Draft, TYPED, type Typed } from './draft.ts';
import { CAP_QUESTION, KEY_QUESTION, LIST_QUESTION } from './flow.ts';
import { capsOf, keyFormView, keysView, PERSONAL_KEYS } from './view.ts';

/** Of a new key's form; never more than the chat's own cap. */
const DEFAULT_DAY_LAMPORTS = 1_000_000_000n;
const EVERYTHING = /^(all|any|todo|todos|todas|cualquiera)$/i;

type Show = (ctx: BotContext) => Promise<void>;
type Fill = (ctx: BotContext, draft: Draft) => Promise<void>;

/** Keys of a person's own program: the list, the form with the PIN, and the tap that ends one. */
export function personalKeysFeature(deps: FeatureDeps): Feature {
  const { personalKeys } = deps;
  const open: Show = async ({ turn }) => {
    const userId = turn.user.id;
    const { keys } = await personalKeys.list(userId);
    const payload = { ids: keys.map(({ id }) => id) };
    const stateId = await deps.states.issue({ userId, feature: PERSONAL_KEYS, payload });
    await turn.screen.show(keysView(turn.words, { keys, isOn: personalKeys.host !== null, stateId }));
  };
  const fill: Fill = async ({ turn }, draft) => {
    const userId = turn.user.id;
    const wallet = await deps.db.wallets.find(draft.walletId);
    const { host } = personalKeys;
    if (wallet?.userId !== userId || host === null) throw new AppError('BUTTON_STALE', {});
    const stateId = await deps.states.issue({ userId, feature: PERSONAL_KEYS, payload: draft });
    await turn.screen.show(keyFormView(turn.words, { draft, wallet: wallet.name, host, stateId }));
  };
  const adding = typedQuestion(
    KEY_QUESTION,
    async (ctx, text) => void (await newDraft(deps, ctx, text)),
    async (ctx, text) => fill(ctx, await newDraft(deps, ctx, text)),
  );
  const changing = (question: typeof CAP_QUESTION | typeof LIST_QUESTION) =>
    typedQuestion(
      question,
      async (_ctx, text, { which = '', draft = '' }) => changed(readDraft(draft), which, text),
      async (ctx, text, { which = '', draft = '' }) => fill(ctx, changed(readDraft(draft), which, text)),
    );
  const [caps, lists] = [changing(CAP_QUESTION), changing(LIST_QUESTION)];
  return {
    name: PERSONAL_KEYS,
    commands: [],
    taps: {
      open: { act: 'reads', unlocked: true, run: open },
      add: { act: 'reads', run: (ctx) => begin(deps, ctx, adding) },
      ...formTaps(fill, { caps, lists }),
      save: {
        act: 'personal-key-add',
        run: (ctx, tap) => askPin(deps, ctx, payloadOf(DRAFT, tap?.payload)),
      },
      end: { act: 'personal-key-end', unlocked: true, toasts: true, run: ending(deps, open) },
    },
    forms: [adding, caps, lists],
    secrets: {
      pin: {
        act: 'personal-key-add',
        run: (ctx, secret, payload) =>
          addWithPin(deps, ctx, { draft: payloadOf(DRAFT, payload), secret }, open),
      },
    },
  };
}

const ending =
  ({ personalKeys }: FeatureDeps, open: Show): Tap['run'] =>
  async (ctx, tap) => {
    const keyId = textList(tap, 'ids')[tap?.index ?? -1];
    if (keyId === undefined) throw new AppError('BUTTON_STALE', {});
    await personalKeys.end({ userId: ctx.turn.user.id, keyId });
    await ctx.turn.toast(ctx.turn.words.text('toast.pkey_ended'));
    await open(ctx);
  };

async function addWithPin(
  deps: FeatureDeps,
  ctx: BotContext,
  { draft, secret }: { readonly draft: Draft; readonly secret: Secret },
  open: Show,
): Promise<void> {
  await withPin(deps, ctx, pinQuestion(ctx, draft), async () => {
    await deps.personalKeys.add({ userId: ctx.turn.user.id, ...draft, pin: pinOf(secret) });
    await open(ctx);
  });
}

async function begin(
  deps: FeatureDeps,
  ctx: BotContext,
  question: Parameters<typeof enterForm>[1],
): Promise<void> {
  // Refused here already, before a key is pasted.
  await deps.guard.mayAct({ userId: ctx.turn.user.id, act: 'personal-key-add' });
  await enterForm(ctx, question, {});
}

/** The form of a pasted key: it may look and trade, with a tenth of its day in one purchase. Throws ADDRESS_INVALID, PERSONAL_KEY_REFUSED. */
async function newDraft(deps: FeatureDeps, { turn }: BotContext, text: string): Promise<Draft> {
  const userId = turn.user.id;
  const walletId = turn.user.activeWalletId;
  if (walletId === null) throw new AppError('BUTTON_STALE', {});
  const publicKey = addressOf(text);
  const { mostDayLamports } = await deps.personalKeys.list(userId);
  const dayLamports = mostDayLamports < DEFAULT_DAY_LAMPORTS ? mostDayLamports : DEFAULT_DAY_LAMPORTS;
  const terms: KeyTerms = {
    rights: ['read', 'trade'],
    orderLamports: dayLamports / 10n,
    dayLamports,
    tokens: null,
    ips: null,
  };
  await deps.personalKeys.assertFits({ userId, publicKey, terms });
  return { walletId, publicKey, days: 30, terms };
}

function formTaps(
  fill: Fill,
  { caps, lists }: Readonly<Record<'caps' | 'lists', Parameters<typeof enterForm>[1]>>,
): Feature['taps'] {
  const change = (to: (draft: Draft, index: number) => Partial<Draft>): Tap => ({
    act: 'reads',
    run: async (ctx, tap) => {
      const draft = payloadOf(DRAFT, tap?.payload);
      await fill(ctx, { ...draft, ...to(draft, tap?.index ?? -1) });
    },
  });
  const typing = (which: Typed): Tap => ({
    act: 'reads',
    run: (ctx, tap) => {
      const draft = JSON.stringify(toPlainJson(payloadOf(DRAFT, tap?.payload)));
      return enterForm(ctx, which === 'order' || which === 'day' ? caps : lists, { which, draft });
    },
  });
  return {
    right: change(({ terms }, index) => ({ terms: { ...terms, rights: toggled(terms.rights, index) } })),
    days: change((_draft, index) => {
      const days = KEY_DAYS[index];
      return days === undefined ? {} : { days };
    }),
    ...Object.fromEntries(TYPED.map((which) => [`type_${which}`, typing(which)])),
  };
}

/** Without the right, or with it; the last one stays. */
function toggled(rights: KeyTerms['rights'], index: number): KeyTerms['rights'] {
  const right = RIGHTS[index];
  if (right === undefined) return rights;
  const others = rights.filter((one) => one !== right);
  if (rights.includes(right)) return others.length === 0 ? rights : others;
  return RIGHTS.filter((one) => one === right || rights.includes(one));
}

const pinQuestion = ({ turn }: BotContext, draft: Draft): Question => ({
  to: `${PERSONAL_KEYS}:pin`,
  payload: draft,
  isProof: true,
  act: 'personal-key-add',
  text: turn.words.html('pkey.pin', { key: code(draft.publicKey), ...capsOf(turn.words, draft.terms) }),
});

/** The PIN is asked for each time, also within unlocked hours. What does not fit is refused before it. */
async function askPin(deps: FeatureDeps, ctx: BotContext, draft: Draft): Promise<void> {
  await deps.personalKeys.assertFits({ userId: ctx.turn.user.id, ...draft });
  await askSecret(deps, ctx, pinQuestion(ctx, draft));
}

const readDraft = (text: string): Draft => payloadOf(DRAFT, fromPlainJson(JSON.parse(text)));

/** The draft with a typed part. Throws AMOUNT_INVALID, ADDRESS_INVALID, PERSONAL_KEY_REFUSED. */
function changed(draft: Draft, which: string, text: string): Draft {
  const { terms } = draft;
  switch (which) {
    case 'order':
      return { ...draft, terms: { ...terms, orderLamports: lamportsOf(text) } };
    case 'day':
      return { ...draft, terms: { ...terms, dayLamports: lamportsOf(text) } };
    case 'tokens':
      return { ...draft, terms: { ...terms, tokens: listOf(text)?.map(addressOf) ?? null } };
    default:
      return { ...draft, terms: { ...terms, ips: listOf(text)?.map(knownIp) ?? null } };
  }
}

/** The words of a list; null for all. */
function listOf(text: string): readonly string[] | null {
  const given = text.trim();
  return EVERYTHING.test(given) ? null : [...new Set(given.split(/[\s,;]+/).filter((one) => one !== ''))];
}

function knownIp(text: string): string {
  const ip = ipOf(text);
  if (ip === null) throw new AppError('PERSONAL_KEY_REFUSED', { kind: 'ips' });
  return ip;
}

function lamportsOf(text: string): bigint {
  const typed = readSol(text);
  if (typed.kind === 'exact') return typed.units;
  throw new AppError('AMOUNT_INVALID', { given: text.slice(0, 32), reason: 'not-a-number', decimals: 9 });
}
