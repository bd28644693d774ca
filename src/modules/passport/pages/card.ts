import type { MetadataStore } from '../../../platform/ports/metadata-store.ts';
import type { TokenCard } from '../../../platform/ports/pictures.ts';
import { PASSPORT_AUTHORITIES, type Passport } from '../rules/passport.ts';
import { titleOf } from './facts.ts';
import { authorityLabel, supplyText } from './words.ts';

const SHORT = {
  mint: { live: 'more can be made', gone: 'no more, ever' },
  freeze: { live: 'accounts can be frozen', gone: 'nobody can freeze' },
  update: { live: 'name and link can change', gone: 'fixed for good' },
} as const;

/** The text of the picture card: the same facts as the page, in as few words as fit. */
export async function passportCard(
  passport: Passport,
  deps: { readonly metadata: Pick<MetadataStore, 'find'>; readonly publicUrl: string | null },
): Promise<TokenCard> {
  const { record, launch, powers, metadata } = passport;
  const { token } = record;
  const authorities = PASSPORT_AUTHORITIES.filter((one) => one !== 'update' || metadata !== null);
  return {
    ...titleOf(passport),
    facts: [
      { label: 'Supply', value: supplyText(token.supply, token.decimals), good: null },
      ...authorities.map((authority) => {
        const gone = passport.authorities[authority].holder === null;
        return {
          label: authorityLabel(authority),
          value: SHORT[authority][gone ? 'gone' : 'live'],
          good: gone,
        };
      }),
      {
        label: 'Extensions',
        value: powers.length === 0 ? 'none that touch holders' : `${powers.length} that holders should read`,
        good: powers.length === 0,
      },
      ...(launch === null
        ? []
        : [
            {
              label: 'Launch',
              value: `${launch.pad} · ${launch.graduated ? 'graduated' : `${launch.percent} % of the curve`}`,
              good: null,
            },
          ]),
    ],
    mark: passport.origin?.hasBadge === true ? '★ badge bought with points' : null,
    footer: token.mint,
    link: deps.publicUrl === null ? token.mint : `${deps.publicUrl}/token/${token.mint}`,
    picture: await pictureOf(passport.document?.picture ?? null, deps.metadata),
  };
}

async function pictureOf(
  path: string | null,
  metadata: Pick<MetadataStore, 'find'>,
): Promise<Uint8Array | null> {
  const [, sha256 = '', ending = ''] = /^\/images\/([0-9a-f]{64})\.(png|jpg)$/.exec(path ?? '') ?? [];
  return ending === 'png' || ending === 'jpg' ? metadata.find(sha256, ending) : null;
}
