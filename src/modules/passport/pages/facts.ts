import { TOKEN_PROGRAM } from '@tradepost/solana';
import { displayName, displaySymbol } from '../../tokens/rules/display-name.ts';
import { PASSPORT_AUTHORITIES, type Passport } from '../rules/passport.ts';
import { authoritySentence, powerSentence } from './words.ts';

/** Name and symbol as they may be shown: cleaned of characters that turn lines around, still to be escaped. */
export function titleOf({ record: { token } }: Passport): { readonly symbol: string; readonly name: string } {
  const symbol = displaySymbol(token);
  return { symbol, name: displayName(token.name) ?? symbol };
}

export const programName = ({ record: { token } }: Passport): 'token' | 'token2022' =>
  token.tokenProgram === TOKEN_PROGRAM ? 'token' : 'token2022';

/** The passport for programs: amounts as text of smallest units, times as ISO 8601. */
export function passportJson(passport: Passport): Readonly<Record<string, unknown>> {
  const { record, origin, document, launch } = passport;
  const { token } = record;
  return {
    mint: token.mint,
    program: programName(passport),
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    supply: token.supply.toString(),
    safety: passport.level,
    authorities: Object.fromEntries(
      PASSPORT_AUTHORITIES.map((authority) => {
        const { holder, revoked } = passport.authorities[authority];
        const sentence = authoritySentence(authority, passport.authorities[authority]);
        return [authority, { holder, revoked: revoked === null ? null : proofJson(revoked), sentence }];
      }),
    ),
    powers: passport.powers.map((power) => ({ ...power, sentence: powerSentence(power) })),
    metadata:
      passport.metadata === null
        ? null
        : {
            kind: passport.metadata.kind,
            uri: passport.metadata.uri,
            mutable: passport.metadata.updateAuthority !== null,
            sha256: document?.sha256 ?? null,
          },
    creator:
      origin === null
        ? null
        : {
            address: origin.creator,
            badge: origin.hasBadge,
            created: proofJson(origin.created),
            otherTokens: origin.otherTokens,
          },
    launch:
      launch === null
        ? null
        : { ...launch, firstBuyLamports: origin?.launch?.firstBuyLamports.toString() ?? null },
    slot: record.slot.toString(),
  };
}

const proofJson = ({ signature, at }: { readonly signature: string; readonly at: number }) => ({
  signature,
  at: new Date(at).toISOString(),
});
