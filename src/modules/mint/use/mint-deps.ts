import type { Chain } from '../../../platform/ports/chain.ts';
import type { MetadataStore } from '../../../platform/ports/metadata-store.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { MetadataWayOf } from './metadata-way.ts';

/** The dependencies of planning a creation. */
export type MintDeps = {
  readonly chain: Pick<Chain, 'accounts' | 'rentExemption'>;
  readonly programs: Programs;
  readonly metadata: Pick<MetadataStore, 'locate' | 'put'>;
  readonly metadataWay: MetadataWayOf;
  /** Tokens whose tickers others imitate. */
  readonly wellKnown: readonly WellKnownToken[];
};
