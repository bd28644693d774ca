import { MAX_NAME_BYTES, MAX_SYMBOL_BYTES, utf8Bytes } from '../../../core/mint/check-text.ts';
import { DEFAULT_SUPPLY } from '../../../core/mint/plan-token.ts';
import { MAX_PICTURE_BYTES } from '../../../core/ports/pictures.ts';
import { displayName } from '../../../core/tokens/display-name.ts';
import type { BotContext } from '../../context.ts';
import type { Answer, Answers, Form, SentPicture, Step } from '../../dialog/form.ts';
import type { Key, Words } from '../../locales/words.ts';
import { amountText } from '../../ui/amounts.ts';
import { backChoice, cancelChoice, choice } from '../../ui/form-buttons.ts';
import { code, type Html } from '../../ui/html.ts';
import { type ButtonSpec, keyboard, nav } from '../../ui/keyboard.ts';
import type { View } from '../../ui/screen.ts';
import { assertFields, ownUri } from './draft.ts';

type Finish = (ctx: BotContext, answers: Answers) => Promise<void>;
/** Keeps a picture and answers its address. */
export type TakePicture = (ctx: BotContext, picture: SentPicture) => Promise<string>;

/** The questions of a token's own facts, in their order. Entered with `walletId`, `wallet` and `walletName`. */
export function tokenForm(takePicture: TakePicture, canLaunch: boolean, finish: Finish): Form {
  return {
    id: 'create_token',
    version: 1,
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
        read: checked('decimals', ['decimals']),
      },
      {
        key: 'supply',
        choices: { usual: DEFAULT_SUPPLY },
        ask: ({ turn }) =>
          question(turn.words, turn.words.html('create.ask_supply'), [
            choice(amountText(BigInt(DEFAULT_SUPPLY), 0), 'usual'),
          ]),
        read: checked('supply', ['mintSupply']),
      },
      {
        key: 'to',
        takesAddresses: true,
        choices: ({ wallet = '' }) => ({ own: wallet }),
        ask: ({ turn }, answers) =>
          question(turn.words, turn.words.html('create.ask_to'), [
            choice(answers['walletName'] ?? '', 'own'),
          ]),
        read: checked('to', ['mintToPubkey']),
      },
    ],
    finish,
  };
}

/**
 * The questions of a launch. Entered with `wallet`, `walletId`, `walletName`, and `pads`: keys and labels as JSON pairs.
 * `check` throws what the launch would be refused for.
 */
export function launchForm(
  takePicture: TakePicture,
  check: (ctx: BotContext, answers: Answers) => Promise<unknown>,
  finish: Finish,
): Form {
  const padsOf = (answers: Answers): readonly (readonly [string, string])[] =>
    JSON.parse(answers['pads'] ?? '[]') as readonly (readonly [string, string])[];
  return {
    id: 'launch_token',
    version: 1,
    steps: [
      {
        key: 'pad',
        choices: (answers) => Object.fromEntries(padsOf(answers).map(([key], index) => [`pad${index}`, key])),
        ask: ({ turn: { words } }, answers) => ({
          text: words.html('launch.ask_pad'),
          keyboard: keyboard(...padsOf(answers).map(([, label], index) => [choice(label, `pad${index}`)]), [
            cancelChoice(words),
          ]),
        }),
        read: ({ turn }, text, answers) =>
          padsOf(answers).some(([key]) => key === text)
            ? { kind: 'taken', value: text }
            : { kind: 'refused', why: turn.words.html('err.launchpad') },
      },
      ...factSteps(takePicture),
      {
        key: 'first_buy',
        choices: { none: '0', some: '0.1', more: '0.5' },
        ask: ({ turn }) =>
          question(turn.words, turn.words.html('launch.ask_first_buy'), [
            choice(turn.words.text('btn.no_first_buy'), 'none'),
            choice('0.1 SOL', 'some'),
            choice('0.5 SOL', 'more'),
          ]),
        read: async (ctx, text, answers) => {
          await check(ctx, { ...answers, first_buy: text });
          return { kind: 'taken', value: text };
        },
      },
    ],
    finish,
  };
}

/** What every token says of itself, made here or at a launchpad. */
function factSteps(takePicture: TakePicture): readonly Step[] {
  return [
    textStep('symbol', ['symbol'], MAX_SYMBOL_BYTES, ({ words }) => words.html('create.ask_symbol')),
    {
      ...textStep('name', ['name'], MAX_NAME_BYTES, ({ words }, answers) =>
        words.html('create.ask_name', counted(answers['symbol'] ?? '', MAX_SYMBOL_BYTES)),
      ),
      choices: ({ symbol = '' }) => ({ same: symbol }),
    },
    pictureStep(takePicture),
    {
      key: 'description',
      maxText: 1_000,
      skip: (answers) => answers['captioned'] === '1' || ownUri(answers) !== null,
      choices: { skip: '' },
      ask: ({ turn }) => question(turn.words, turn.words.html('create.ask_description'), [skip(turn.words)]),
      read: checked('description', ['metadata.description']),
    },
    {
      key: 'links',
      skip: (answers) => ownUri(answers) !== null,
      choices: { skip: '' },
      ask: ({ turn }) => question(turn.words, turn.words.html('create.ask_links'), [skip(turn.words)]),
      read: checked('links', ['metadata.extensions']),
    },
  ];
}

/** The powers of a token2022 that need more than a tap. Each is asked alone. */
export function powerForm(finish: Finish): Form {
  return {
    id: 'create_power',
    version: 1,
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
  };
}

type PowerQuestion = Extract<
  Key,
  'create.ask_fee' | 'create.ask_interest' | 'create.ask_delegate' | 'create.ask_close'
>;

function powerStep(key: string, text: PowerQuestion, fields: readonly string[]): Step {
  return {
    key,
    ask: ({ turn }) => question(turn.words, turn.words.html(text), []),
    read: checked(key, fields),
  };
}

function holderStep(key: string, text: PowerQuestion, fields: readonly string[]): Step {
  return {
    key,
    takesAddresses: true,
    choices: ({ wallet = '' }) => ({ own: wallet }),
    ask: ({ turn }, answers) =>
      question(turn.words, turn.words.html(text), [choice(answers['walletName'] ?? '', 'own')]),
    read: checked(key, fields),
  };
}

function textStep(
  key: 'symbol' | 'name',
  fields: readonly string[],
  maxBytes: number,
  text: (turn: BotContext['turn'], answers: Answers) => Html,
): Step {
  const judge = checked(key, fields);
  return {
    key,
    ask: ({ turn }, answers) =>
      question(turn.words, text(turn, answers), [
        key === 'name' && choice(displayName(answers['symbol'] ?? '') ?? '…', 'same'),
      ]),
    read: (ctx, typed, answers) =>
      utf8Bytes(typed) > maxBytes
        ? { kind: 'refused', why: ctx.turn.words.html('create.too_long', counted(typed, maxBytes)) }
        : judge(ctx, typed, answers),
  };
}

function pictureStep(takePicture: TakePicture): Step {
  return {
    key: 'picture',
    choices: { skip: '' },
    ask: ({ turn }, answers) =>
      question(
        turn.words,
        turn.words.html('create.ask_picture', {
          ...counted(answers['name'] ?? '', MAX_NAME_BYTES),
          megabytes: MAX_PICTURE_BYTES / 1_000_000,
        }),
        [skip(turn.words)],
      ),
    read: (_ctx, text, answers) => {
      const picture = text === '' ? '' : `uri:${text}`;
      assertFields({ ...answers, picture }, ['metadataUri']);
      return { kind: 'taken', value: picture, also: { captioned: '' } };
    },
    readPicture: async (ctx, picture, answers) => {
      const caption = picture.caption === '' ? {} : { description: picture.caption };
      assertFields({ ...answers, ...caption, picture: '' }, ['metadata.description']);
      const value = await takePicture(ctx, picture);
      return { kind: 'taken', value, also: { ...caption, captioned: picture.caption === '' ? '' : '1' } };
    },
  };
}

/** Takes what the mint engine has nothing to say against. */
function checked(key: string, fields: readonly string[]) {
  return (_ctx: BotContext, text: string, answers: Answers): Answer => {
    assertFields({ ...answers, [key]: text }, fields);
    return { kind: 'taken', value: text };
  };
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
