import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { type Figures, figuresOf } from '../../../core/text/figures.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import { code, type Html, html, plain } from '../../../platform/telegram/ui/html.ts';
import { microUsdShown } from '../../trading/rules/price.ts';
import type { SafetyWarning, TokenSafety } from '../rules/safety.ts';

const LEVELS = {
  OK: 'trade.safety_ok',
  CAREFUL: 'trade.safety_careful',
  BLOCK: 'trade.safety_block',
} as const;

/** The text for buyers: the level, then every reason. The same on the trade card and before a token is made. */
export function safetyText(words: Words, safety: TokenSafety): readonly Html[] {
  return [words.html(LEVELS[safety.level]), ...warningLines(words, safety.warnings)];
}

/** One line for a card: the gravest reason in few words, and how many more there are. */
export function riskLine(words: Words, { level, warnings }: TokenSafety): Html {
  const rest = warnings.length - (level === 'OK' ? 0 : 1);
  const more = rest === 0 ? '' : ` (+${rest})`;
  const [first] = warnings.filter(({ severity }) => severity === level);
  if (first === undefined) return words.html('risk.none', { more });
  const figures = figuresOf(words.language);
  return words.html(level === 'BLOCK' ? 'risk.block' : 'risk.careful', {
    risk: shortRisk(words, figures, first),
    more,
  });
}

/** A warning's reason in at most six words. */
function shortRisk(words: Words, figures: Figures, warning: SafetyWarning): Html {
  switch (warning.code) {
    case 'PERMANENT_DELEGATE':
      return words.html('risk.PERMANENT_DELEGATE', { who: code(shortAddress(warning.delegate)) });
    case 'TRANSFER_FEE':
      return words.html('risk.TRANSFER_FEE', {
        percent: figures.percent(Math.max(warning.bps, warning.nextBps ?? 0)),
      });
    case 'CONCENTRATED':
      return words.html('risk.CONCENTRATED', { percent: figures.percentUpTo(warning.top10Bps) });
    case 'POOR_EXIT':
      return words.html('risk.POOR_EXIT', { percent: figures.percent(warning.returnedBps) });
    case 'SMALL':
      return words.html('risk.SMALL', { liquidity: liquidityText(figures, warning.liquidityUsd) });
    case 'FEW_HOLDERS':
      return words.html(warning.holders === 1 ? 'risk.ONE_HOLDER' : 'risk.FEW_HOLDERS', {
        count: figures.count(Math.trunc(warning.holders)),
      });
    case 'YOUNG':
    case 'NOT_ENOUGH_KNOWN':
    case 'CANNOT_SELL':
    case 'CANNOT_BUY':
    case 'TRANSFER_HOOK':
    case 'DEFAULT_FROZEN':
    case 'NON_TRANSFERABLE':
    case 'MINT_AUTHORITY_LIVE':
    case 'FREEZE_AUTHORITY_LIVE':
    case 'MINT_CLOSE_AUTHORITY':
    case 'PAUSABLE':
    case 'PAUSED':
    case 'CONFIDENTIAL_TRANSFER':
    case 'INTEREST_BEARING':
    case 'SCALED_AMOUNTS':
    case 'METADATA_CHANGEABLE':
    case 'SAME_SYMBOL':
      return html`${plain(words.text(`risk.${warning.code}`))}`;
  }
}

const UNKNOWN_FACTS = {
  age: 'safety.unknown_age',
  liquidity: 'safety.unknown_liquidity',
  holders: 'safety.unknown_holders',
  exit: 'safety.unknown_exit',
} as const;

const liquidityText = (figures: Figures, usd: number): string => figures.compact(microUsdShown(usd));

/** One sentence per fact about the mint. */
export function warningLines(words: Words, warnings: readonly SafetyWarning[]): readonly Html[] {
  return warnings.map((warning) => warningText(words, warning));
}

function warningText(words: Words, warning: SafetyWarning): Html {
  switch (warning.code) {
    case 'PERMANENT_DELEGATE':
      return words.html('safety.PERMANENT_DELEGATE', { who: code(shortAddress(warning.delegate)) });
    case 'TRANSFER_HOOK':
      return words.html('safety.TRANSFER_HOOK', { who: code(shortAddress(warning.program)) });
    case 'TRANSFER_FEE':
      return words.html('safety.TRANSFER_FEE', {
        percent: percentText(words, warning.bps),
        next:
          warning.nextBps === null
            ? ''
            : words.html('safety.fee_next', { percent: percentText(words, warning.nextBps) }),
        changeable: warning.changeable ? words.html('safety.fee_changeable') : '',
      });
    case 'POOR_EXIT':
      return words.html('safety.POOR_EXIT', { percent: percentText(words, warning.returnedBps) });
    case 'SMALL':
      return words.html('safety.SMALL', {
        liquidity: liquidityText(figuresOf(words.language), warning.liquidityUsd),
      });
    case 'FEW_HOLDERS':
      return words.html(warning.holders === 1 ? 'safety.ONE_HOLDER' : 'safety.FEW_HOLDERS', {
        count: figuresOf(words.language).count(Math.trunc(warning.holders)),
      });
    case 'NOT_ENOUGH_KNOWN':
      return words.html('safety.NOT_ENOUGH_KNOWN', {
        facts: warning.unknown.map((fact) => words.text(UNKNOWN_FACTS[fact])).join(', '),
      });
    case 'CONCENTRATED':
      return words.html('safety.CONCENTRATED', {
        percent: percentText(words, warning.top10Bps),
        largest: percentText(words, warning.largestBps),
      });
    case 'YOUNG':
    case 'CANNOT_SELL':
    case 'CANNOT_BUY':
    case 'DEFAULT_FROZEN':
    case 'NON_TRANSFERABLE':
    case 'MINT_AUTHORITY_LIVE':
    case 'FREEZE_AUTHORITY_LIVE':
    case 'MINT_CLOSE_AUTHORITY':
    case 'PAUSABLE':
    case 'PAUSED':
    case 'CONFIDENTIAL_TRANSFER':
    case 'INTEREST_BEARING':
    case 'SCALED_AMOUNTS':
    case 'METADATA_CHANGEABLE':
    case 'SAME_SYMBOL':
      return html`${plain(words.text(`safety.${warning.code}`))}`;
  }
}
