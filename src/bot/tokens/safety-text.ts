import { shortAddress } from '../../core/address/address.ts';
import type { SafetyWarning, TokenSafety } from '../../core/tokens/safety.ts';
import type { Words } from '../locales/words.ts';
import { percentText } from '../ui/amounts.ts';
import { code, type Html, html, plain } from '../ui/html.ts';

const LEVELS = {
  OK: 'trade.safety_ok',
  CAREFUL: 'trade.safety_careful',
  BLOCK: 'trade.safety_block',
} as const;

/** What buyers are told: the level, then every reason. The same on the trade card and before a token is made. */
export function safetyText(words: Words, safety: TokenSafety): readonly Html[] {
  return [words.html(LEVELS[safety.level]), ...warningLines(words, safety.warnings)];
}

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
        percent: percentText(warning.bps),
        next:
          warning.nextBps === null
            ? ''
            : words.html('safety.fee_next', { percent: percentText(warning.nextBps) }),
        changeable: warning.changeable ? words.html('safety.fee_changeable') : '',
      });
    case 'POOR_EXIT':
      return words.html('safety.POOR_EXIT', { percent: percentText(warning.returnedBps) });
    case 'CANNOT_SELL':
    case 'CANNOT_BUY':
    case 'DEFAULT_FROZEN':
    case 'NON_TRANSFERABLE':
    case 'MINT_AUTHORITY_LIVE':
    case 'FREEZE_AUTHORITY_LIVE':
    case 'MINT_CLOSE_AUTHORITY':
    case 'PAUSABLE':
    case 'CONFIDENTIAL_TRANSFER':
    case 'INTEREST_BEARING':
    case 'METADATA_CHANGEABLE':
    case 'SAME_SYMBOL':
      return html`${plain(words.text(`safety.${warning.code}`))}`;
  }
}
