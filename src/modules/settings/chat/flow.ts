import { z } from 'zod';
import type { Words } from '../../../compose/texts/words.ts';
import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { parseSol } from '../../../core/amounts/decimal.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { units } from '../../../platform/telegram/dialog/fields.ts';
import type { Form } from '../../../platform/telegram/dialog/form.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import type { Settings } from '../rules/settings.ts';
import { BUY_PRESET_COUNT, SELL_PRESET_COUNT } from '../rules/settings.ts';
import { percent } from './read-percent.ts';

type Save = (ctx: BotContext, change: Partial<Settings>) => Promise<void>;

const rate = z.int().transform((given) => bps(given));
/** The change that a form saves: one of them. */
const CHANGE = z.union([
  z.object({ buyPresets: z.array(units) }),
  z.object({ sellPresetsBps: z.array(rate) }),
]);
const WHOLE = z.object({ change: CHANGE });
type Change = z.infer<typeof WHOLE>['change'];

/** The typed settings: each form asks once and saves. */
export function settingForms(save: Save): Readonly<Record<TypedSetting, Form<object>>> {
  return {
    buy_presets: typedForm(
      save,
      'buy_presets',
      (w) => w.html('setting.ask_buy_presets'),
      (w) => w.text('ask.buy_presets'),
      (text, w) => {
        const parts = words(text);
        if (parts.length !== BUY_PRESET_COUNT) return wrongCount(w, BUY_PRESET_COUNT, parts.length);
        return { buyPresets: parts.map((part) => parseSol(part)) };
      },
    ),
    sell_presets: typedForm(
      save,
      'sell_presets',
      (w) => w.html('setting.ask_sell_presets'),
      (w) => w.text('ask.sell_presets'),
      (text, w) => {
        const parts = words(text);
        if (parts.length !== SELL_PRESET_COUNT) return wrongCount(w, SELL_PRESET_COUNT, parts.length);
        const rates: Bps[] = [];
        for (const part of parts) {
          const rate = percent(part);
          if (rate === null || rate === 0) {
            return w.html('setting.bad_share', { given: displayName(part) ?? '…' });
          }
          rates.push(rate);
        }
        return { sellPresetsBps: rates };
      },
    ),
  };
}

function typedForm(
  save: Save,
  id: TypedSetting,
  question: (words: Words) => Html,
  placeholder: (words: Words) => string,
  read: (text: string, words: Words) => Change | Html,
): Form<object> {
  return defineForm({
    id,
    version: 3,
    act: 'settings',
    draft: WHOLE.partial(),
    whole: WHOLE,
    steps: [
      {
        key: 'change',
        ask: ({ turn }) => ({ text: question(turn.words), placeholder: placeholder(turn.words) }),
        read: ({ turn }, typed) => {
          const result = read(typed, turn.words);
          return 'markup' in result
            ? { kind: 'refused', why: result }
            : { kind: 'taken', draft: { change: result } };
        },
      },
    ],
    finish: (ctx, { change }) => save(ctx, change),
  });
}

export const TYPED_SETTINGS = ['buy_presets', 'sell_presets'] as const;
export type TypedSetting = (typeof TYPED_SETTINGS)[number];

const words = (text: string): readonly string[] => text.split(/[\s;]+/).filter((part) => part !== '');

const wrongCount = (w: Words, expected: number, given: number): Html =>
  w.html('setting.bad_count', { expected, given });
