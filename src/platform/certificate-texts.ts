import { canonicalText } from '../core/canonical-text.ts';
import type { PersonFacts, WalletFacts } from './ports/certificates.ts';

/** What a person's certificate is over. Another table's text never equals it. */
export const personText = ({ id, telegramId, inviterId }: PersonFacts): string =>
  `tradepost/person/1${canonicalText([id, telegramId, inviterId])}`;

/** What a wallet's certificate is over. */
export const walletText = ({ id, userId, address, origin }: WalletFacts): string =>
  `tradepost/wallet/1${canonicalText([id, userId, address, origin])}`;
