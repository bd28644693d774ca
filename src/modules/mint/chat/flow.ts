import { utf8Bytes } from '@tradepost/solana/bytes';
import type { Key } from '../../../compose/texts/catalogue.ts';
import type { Words } from '../../../compose/texts/words.ts';
import { parseSol } from '../../../core/amounts/decimal.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';
import { MAX_PICTURE_BYTES } from '../../../platform/ports/pictures.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Answer, Form, SentPicture, Step } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import { amountText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { backChoice, cancelChoice, choice } from '../../../platform/telegram/ui/form-buttons.ts';
import { code, type Html } from '../../../platform/telegram/ui/html.ts';
import { type ButtonSpec, keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import { MAX_NAME_BYTES, MAX_SYMBOL_BYTES } from '../rules/check-text.ts';
import { DEFAULT_SUPPLY } from '../rules/plan-token.ts';
import { DRAFT, type Draft, LAUNCH_DRAFT, type LaunchDraft } from './answers.ts';
import { assertFields, linkFault, ownUri, readDecimals, readSupply } from './draft.ts';

type Finish = (ctx: BotContext, draft: Draft, asked: { readonly only: boolean }) => Promise<void>;
/** Keeps a picture and answers its address. */
export type TakePicture = (ctx: BotContext, picture: SentPicture) => Promise<string>;

/** The questions of a token's own facts, in their order. */
export function tokenForm(takePicture: TakePicture, canLaunch: boolean, finish: Finish): Form<Draft> {
  return defineForm({
    id: 'create_token',
    version: 2,
    act: 'token-create',
    draft: DRAFT,
    whole: DRAFT,
    steps: [
      {
        key: 'type',
        choices: { token: 'token', token2022: 'token2022' },
        ask: ({ turn: { words } }) => ({
          text: words.html('create.ask_type'),
          keyboard: keyboard(
            [choice('token', 'token'), choice('token2022', 'token2022')],
            canLaunch && [nav(words.text('btn.launch_wizard'), 'create_token', 'launch')],
            [nav(words.text('btn.my_tokens'), 'revoke', 'list'), cancelChoice(words)],
          ),
        }),
        read: checked('type', ['program']),
      },
      ...factSteps(takePicture),
      {
        key: 'decimals',
        choices: { d6: '6', d9: '9', d0: '0' },
        ask: ({ turn }) =>
          question(turn.words, turn.words.html('create.ask_decimals'), [
            choice('6', 'd6'),
            choice('9', 'd9'),
            choice('0', 'd0'),
          ]),
        read: (_ctx, typed, draft) => judged(draft, { decimals: readDecimals(typed) }, ['decimals']),
      },
      {
        key: 'supply',
        choices: { usual: DEFAULT_SUPPLY },
        ask: ({ turn }) =>
          question(turn.words, turn.words.html('create.ask_supply'), [
            choice(amountText(turn.words, BigInt(DEFAULT_SUPPLY), 0), 'usual'),
          ]),
        read: (_ctx, typed, draft) => judged(draft, { supply: readSupply(typed) }, ['mintSupply']),
      },
      {
        key: 'to',
        takesAddresses: true,
        choices: ({ wallet }) => ({ own: wallet }),
        ask: ({ turn }, { walletName }) =>
          question(turn.words, turn.words.html('create.ask_to'), [choice(walletName, 'own')]),
        read: checked('to', ['mintToPubkey']),
      },
    ],
    finish,
  });
}

/** The questions of a launch. `check` throws the refusal that the launch would meet. */
export function launchForm(
  takePicture: TakePicture,
  check: (ctx: BotContext, draft: LaunchDraft) => Promise<unknown>,
  finish: (ctx: BotContext, draft: LaunchDraft) => Promise<void>,
): Form<LaunchDraft> {
  return defineForm({
    id: 'launch_token',
    version: 2,
    act: 'launch',
    draft: LAUNCH_DRAFT,
    whole: LAUNCH_DRAFT,
    steps: [
      {
        key: 'pad',
        choices: ({ pads }) => Object.fromEntries(pads.map(({ name }, index) => [`pad${index}`, name])),
        ask: ({ turn: { words } }, { pads }) => ({
          text: words.html('launch.ask_pad'),
          keyboard: keyboard(...pads.map(({ label }, index) => [choice(label, `pad${index}`)]), [
            cancelChoice(words),
          ]),
        }),
        read: ({ turn }, typed, { pads }) =>
          pads.some(({ name }) => name === typed)
            ? { kind: 'taken', draft: { pad: typed } }
            : { kind: 'refused', why: turn.words.html('err.launchpad') },
      },
      ...factSteps(takePicture),
      {
        key: 'firstBuyLamports',
        choices: { none: '0', some: '0.1', more: '0.5' },
        ask: ({ turn }) =>
          question(turn.words, turn.words.html('launch.ask_first_buy'), [
            choice(turn.words.text('btn.no_first_buy'), 'none'),
            choice(solText(turn.words, 100_000_000n), 'some'),
            choice(solText(turn.words, 500_000_000n), 'more'),
          ]),
        read: async (ctx, typed, draft) => {
          const firstBuyLamports = withPlainDigits(typed) === '0' ? 0n : parseSol(typed);
          await check(ctx, { ...draft, firstBuyLamports });
          return { kind: 'taken', draft: { firstBuyLamports } };
        },
      },
    ],
    finish,
  });
}

/** The questions about every token, made here or at a launchpad. */
function factSteps(takePicture: TakePicture): readonly Step<Draft>[] {
  return [
    textStep('symbol', ['symbol'], MAX_SYMBOL_BYTES, ({ words }) => words.html('create.ask_symbol')),
    {
      ...textStep('name', ['name'], MAX_NAME_BYTES, ({ words }, { symbol = '' }) =>
        words.html('create.ask_name', counted(symbol, MAX_SYMBOL_BYTES)),
      ),
      choices: ({ symbol = '' }) => ({ same: symbol }),
    },
    pictureStep(takePicture),
    {
      key: 'description',
      maxText: 1_000,
      skip: (draft) => draft.captioned === true || ownUri(draft) !== null,
      choices: { skip: '' },
      ask: ({ turn }) => question(turn.words, turn.words.html('create.ask_description'), [skip(turn.words)]),
      read: checked('description', ['metadata.description']),
    },
    {
      key: 'links',
      skip: (draft) => ownUri(draft) !== null,
      choices: { skip: '' },
      ask: ({ turn }) => question(turn.words, turn.words.html('create.ask_links'), [skip(turn.words)]),
      read: readLinks,
    },
  ];
}

/** The powers of a token2022 that need more than a tap. Each is asked alone. */
export function powerForm(finish: Finish): Form<Draft> {
  return defineForm({
    id: 'create_power',
    version: 2,
    act: 'token-create',
    draft: DRAFT,
    whole: DRAFT,
    steps: [
      powerStep('fee', 'create.ask_fee', [
        'transferFeeBps',
        'transferFeeMax',
        'transferFeeConfigAuthority',
        'transferFeeWithdrawalAuthority',
        'nonTransferableMint',
      ]),
      powerStep('interest', 'create.ask_interest', ['interestBearingPercent', 'interestBearingAuthority']),
      holderStep('delegate', 'create.ask_delegate', ['permanentDelegate']),
      holderStep('close', 'create.ask_close', ['mintCloseAuthority']),
    ],
    finish,
  });
}

type PowerQuestion = Extract<
  Key,
  'create.ask_fee' | 'create.ask_interest' | 'create.ask_delegate' | 'create.ask_close'
>;

function powerStep(key: 'fee' | 'interest', text: PowerQuestion, fields: readonly string[]): Step<Draft> {
  return {
    key,
    ask: ({ turn }) => question(turn.words, turn.words.html(text), []),
    read: checked(key, fields),
  };
}

function holderStep(key: 'delegate' | 'close', text: PowerQuestion, fields: readonly string[]): Step<Draft> {
  return {
    key,
    takesAddresses: true,
    choices: ({ wallet }) => ({ own: wallet }),
    ask: ({ turn }, { walletName }) =>
      question(turn.words, turn.words.html(text), [choice(walletName, 'own')]),
    read: checked(key, fields),
  };
}

function textStep(
  key: 'symbol' | 'name',
  fields: readonly string[],
  maxBytes: number,
  text: (turn: BotContext['turn'], draft: Draft) => Html,
): Step<Draft> {
  const judge = checked(key, fields);
  return {
    key,
    ask: ({ turn }, draft) =>
      question(turn.words, text(turn, draft), [
        key === 'name' && choice(displayName(draft.symbol ?? '') ?? '…', 'same'),
      ]),
    read: (ctx, typed, draft) =>
      utf8Bytes(typed) > maxBytes
        ? { kind: 'refused', why: ctx.turn.words.html('create.too_long', counted(typed, maxBytes)) }
        : judge(ctx, typed, draft),
  };
}

function pictureStep(takePicture: TakePicture): Step<Draft> {
  return {
    key: 'picture',
    choices: { skip: '' },
    ask: ({ turn }, { name = '' }) =>
      question(
        turn.words,
        turn.words.html('create.ask_picture', {
          ...counted(name, MAX_NAME_BYTES),
          megabytes: MAX_PICTURE_BYTES / 1_000_000,
        }),
        [skip(turn.words)],
      ),
    read: (_ctx, uri, draft) => {
      const picture = uri === '' ? ({ kind: 'none' } as const) : ({ kind: 'own', uri } as const);
      return judged(draft, { picture, captioned: false }, ['metadataUri']);
    },
    readPicture: async (ctx, picture, draft) => {
      const captioned = picture.caption !== '';
      const caption = captioned ? { description: picture.caption } : {};
      assertFields({ ...draft, ...caption, picture: { kind: 'none' } }, ['metadata.description']);
      const uri = await takePicture(ctx, picture);
      return { kind: 'taken', draft: { picture: { kind: 'kept', uri }, ...caption, captioned } };
    },
  };
}

type TextKey =
  | 'type'
  | 'symbol'
  | 'name'
  | 'description'
  | 'links'
  | 'to'
  | 'fee'
  | 'interest'
  | 'delegate'
  | 'close';

/** Takes a text that the mint engine has nothing to say against. */
/** Links, of which none is a plain word and none takes the place of another. */
function readLinks({ turn: { words } }: BotContext, typed: string, draft: Draft): Answer<Draft> {
  const fault = linkFault(typed);
  if (fault === null) return judged(draft, { links: typed }, ['metadata.extensions']);
  const why =
    fault.kind === 'no-link'
      ? words.html('create.bad_link', { given: code(displayName(fault.given) ?? '…') })
      : words.html('create.two_links', { field: words.text(`mint.field.metadata.extensions.${fault.name}`) });
  return { kind: 'refused', why };
}

function checked(key: TextKey, fields: readonly string[]) {
  return (_ctx: BotContext, typed: string, draft: Draft): Answer<Draft> =>
    judged(draft, { [key]: typed }, fields);
}

/** Takes the answer that was read, when the mint engine has nothing to say against it. */
function judged(draft: Draft, read: Partial<Draft>, fields: readonly string[]): Answer<Draft> {
  assertFields({ ...draft, ...read }, fields);
  return { kind: 'taken', draft: read };
}

function question(words: Words, text: Html, choices: readonly (ButtonSpec | false)[]): View {
  return { text, keyboard: keyboard(choices, [backChoice(words), cancelChoice(words)]) };
}

const skip = (words: Words): ButtonSpec => choice(words.text('btn.skip'), 'skip');

/** A text with its length as the chain counts it. */
const counted = (text: string, maxBytes: number) => ({
  text: code(displayName(text) ?? '…'),
  bytes: utf8Bytes(text),
  max: maxBytes,
});
