import { SOL_DECIMALS } from '@tradepost/solana';
import { LANGUAGES, type Language, type Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { plainText, solText } from '../../../platform/telegram/ui/amounts.ts';
import { lines } from '../../../platform/telegram/ui/html.ts';
import { act, type ButtonSpec, keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { tierText } from '../../../platform/telegram/ui/tier-text.ts';
import { type ExitSet, hasExits, LIQUIDITY_STEPS_BPS } from '../rules/exit-set.ts';
import {
  PRIORITY_TIERS,
  type PriorityTier,
  SENDINGS,
  type Sending,
  type Settings,
} from '../rules/settings.ts';
import { exitsText, liquidityLabel } from './exits-text.ts';

const FEATURE = 'setting';
export const TIERS: readonly PriorityTier[] = ['economy', 'normal', 'fast', 'turbo'];
export const LANGUAGE_CODES: readonly Language[] = ['en', 'es'];

/** The present choices, one line each, and the screen of each. */
export function settingsView(words: Words, settings: Settings): View {
  const button = settingButtons(words, settings);
  const figures = figuresOf(words.language);
  const { tier, confirmTrades, autoBuy } = settings;
  const onOff = (is: boolean): string => words.text(is ? 'setting.is_on' : 'setting.is_off');
  return {
    text: lines(
      words.html('setting.title'),
      words.html('setting.slip', {
        buy: slipText(words, settings.autoSlipBuyBps, settings.slippageBuyBps),
        sell: slipText(words, settings.autoSlipSellBps, settings.slippageSellBps),
      }),
      words.html('setting.exits', { exits: exitsOrOff(words, settings.exits) }),
      words.html('setting.priority', {
        tier: tierText(words, tier),
        sol: figures.sol(PRIORITY_TIERS[tier].capLamports),
      }),
      words.html('setting.sending', { way: words.text(`sending.${settings.sending}`) }),
      words.html('setting.rest', {
        confirm: onOff(confirmTrades),
        autoBuy: onOff(autoBuy.on),
        language: LANGUAGES[words.language].name,
      }),
    ),
    keyboard: keyboard(
      [button.slippageBuyBps, button.exits, button.tier],
      [button.buyPresets, button.confirmTrades, button.autoBuy],
      [button.sending, button.language, button.paper],
      [nav(words.text('btn.security'), 'security', 'open')],
      [
        nav(words.text('btn.export'), 'export', 'open'),
        nav(words.text('btn.reset'), FEATURE, 'reset'),
        nav(words.text('btn.home'), 'home', 'open'),
      ],
    ),
  };
}

const slipText = (words: Words, auto: number | null, fixed: number): string =>
  auto === null ? figuresOf(words.language).percent(fixed) : words.text('slippage.is_auto');

/** The button that changes each: a setting without one does not compile. */
function settingButtons(
  words: Words,
  { confirmTrades }: Settings,
): Readonly<Record<keyof Settings, ButtonSpec>> {
  const slippage = nav(words.text('btn.slippage'), FEATURE, 'slippage');
  const presets = nav(words.text('btn.presets'), FEATURE, 'presets');
  return {
    buyPresets: presets,
    sellPresetsBps: presets,
    slippageBuyBps: slippage,
    slippageSellBps: slippage,
    autoSlipBuyBps: slippage,
    autoSlipSellBps: slippage,
    tier: nav(words.text('btn.priority_plain'), FEATURE, 'priority'),
    sending: nav(words.text('btn.sending'), FEATURE, 'sending'),
    confirmTrades: nav(words.text(confirmTrades ? 'btn.confirm_on' : 'btn.confirm_off'), FEATURE, 'confirm'),
    exits: nav(words.text('btn.exits_each'), FEATURE, 'exits'),
    autoBuy: nav(words.text('btn.autobuy_plain'), 'autobuy', 'open'),
    language: nav(words.text('btn.language'), FEATURE, 'language'),
    paper: nav(words.text('btn.paper_plain'), 'paper', 'open'),
  };
}

/** The amounts behind the buttons of a card. */
export function presetsView(words: Words, { buyPresets, sellPresetsBps }: Settings): View {
  const figures = figuresOf(words.language);
  return {
    text: lines(
      words.html('setting.presets_title'),
      words.html('setting.presets', {
        buy: buyPresets.map((lamports) => plainText(words, lamports, SOL_DECIMALS)).join(' · '),
        sell: sellPresetsBps.map((share) => figures.percent(share)).join(' · '),
      }),
    ),
    keyboard: keyboard(
      [
        nav(words.text('btn.buy_presets'), FEATURE, 'buy_presets'),
        nav(words.text('btn.sell_presets'), FEATURE, 'sell_presets'),
      ],
      [nav(words.text('btn.back'), FEATURE, 'open')],
    ),
  };
}

const exitsOrOff = (words: Words, exits: ExitSet): string =>
  hasExits(exits) ? exitsText(words, exits) : words.text('setting.exits_off');

/** The choices of the buttons; a set with several take-profits comes from the form of exits. */
export const EXIT_CHOICES = {
  take: [2_500, 5_000, 10_000, 30_000],
  stop: [1_000, 2_000, 3_000, 5_000],
  trail: [1_000, 1_500, 2_500],
} as const;

/** The sales that go with each purchase. */
export function exitsView(words: Words, exits: ExitSet): View {
  const percent = (bps: number): string => figuresOf(words.language).percent(bps);
  // The first of a row says which it is, unless it is chosen: a phone has no room for more.
  const row = (
    { action, mark, sign }: { readonly action: string; readonly mark: string; readonly sign: string },
    choices: readonly number[],
    isOn: (bps: number) => boolean,
  ) =>
    choices.map((bps, index) =>
      nav(
        `${isOn(bps) ? '✓' : index === 0 ? `${mark} ` : ''}${sign}${percent(bps)}`,
        FEATURE,
        `${action}-${index}`,
      ),
    );
  return {
    text: lines(
      words.html('setting.exits', { exits: exitsOrOff(words, exits) }),
      words.html('setting.exits_note'),
    ),
    keyboard: keyboard(
      row({ action: 'exit_take', mark: 'TP', sign: '+' }, EXIT_CHOICES.take, (bps) =>
        exits.takes.some(({ atBps }) => atBps === bps),
      ),
      row({ action: 'exit_stop', mark: 'SL', sign: '−' }, EXIT_CHOICES.stop, (bps) => exits.stopBps === bps),
      EXIT_CHOICES.trail.map((bps, index) =>
        nav(
          `${exits.trailBps === bps ? '✓' : ''}${words.text('btn.order_trail', { percent: percent(bps) })}`,
          FEATURE,
          `exit_trail-${index}`,
        ),
      ),
      [
        nav(ticked(words.text('btn.exit_dev'), exits.devSells === true), FEATURE, 'exit_dev'),
        nav(
          ticked(
            liquidityLabel(words, exits.liquidityBps ?? LIQUIDITY_STEPS_BPS[0]),
            exits.liquidityBps !== undefined,
          ),
          FEATURE,
          'exit_liquidity',
        ),
      ],
      [
        hasExits(exits) && nav(words.text('btn.exits_none'), FEATURE, 'exit_off'),
        nav(words.text('btn.back'), FEATURE, 'open'),
      ],
    ),
  };
}

/** `cardId`: behind the card that it was opened from, to which it goes back; null from the settings. */
export function priorityView(words: Words, current: PriorityTier, cardId: string | null): View {
  const on = (label: string, action: string): ButtonSpec =>
    cardId === null ? nav(label, FEATURE, action) : act(label, FEATURE, action, cardId);
  const choice = (tier: PriorityTier): ButtonSpec =>
    on(ticked(tierText(words, tier), tier === current), tier);
  return {
    text: lines(
      words.html('setting.tier_title'),
      ...TIERS.map((tier) =>
        words.html('setting.tier_row', {
          tier: tierText(words, tier),
          sol: solText(words, PRIORITY_TIERS[tier].capLamports),
        }),
      ),
    ),
    keyboard: keyboard(TIERS.slice(0, 2).map(choice), TIERS.slice(2).map(choice), [
      cardId === null
        ? nav(words.text('btn.back'), FEATURE, 'open')
        : act(words.text('btn.back'), 'trade', 'card', cardId),
    ]),
  };
}

export function sendingView(words: Words, current: Sending): View {
  return {
    text: words.html('setting.sending_title'),
    keyboard: keyboard(
      SENDINGS.map((way) =>
        nav(ticked(words.text(`sending.${way}`), way === current), FEATURE, `send_${way}`),
      ),
      [nav(words.text('btn.back'), FEATURE, 'open')],
    ),
  };
}

export function languageView(words: Words, saved: string | null, back: 'setting' | 'start'): View {
  return {
    text: words.html('setting.language_title'),
    keyboard: keyboard(
      LANGUAGE_CODES.map((code) =>
        nav(ticked(LANGUAGES[code].name, saved === code), FEATURE, `lang_${code}`),
      ),
      [nav(ticked(words.text('btn.follow_telegram'), saved === null), FEATURE, 'lang_auto')],
      [
        back === 'setting'
          ? nav(words.text('btn.back'), FEATURE, 'open')
          : nav(words.text('btn.back'), 'start', 'open'),
      ],
    ),
  };
}

export function resetView(words: Words): View {
  return {
    text: words.html('setting.reset_sure'),
    keyboard: keyboard([
      nav(words.text('btn.reset'), FEATURE, 'reset_yes'),
      nav(words.text('btn.back'), FEATURE, 'open'),
    ]),
  };
}
