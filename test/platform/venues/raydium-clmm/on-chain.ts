import { raydiumClmm } from '../../../../packages/venues/src/raydium-clmm/index.ts';
import { CLMM_PROGRAM } from '../../../../packages/venues/src/raydium-clmm/layout.ts';
import { accountDiscriminator } from '../../../../packages/venues/src/shared/discriminator.ts';
import { buildClmm, OBSERVATION, VAULTS } from '../../../../packages/venues/test/raydium-clmm/build.ts';
import {
  AccountBytes,
  buildTokenAccount,
  type PoolFixture,
  poolOf,
} from '../../../../packages/venues/test/shared/build.ts';
import { createLocalnet, fundTrader, type Localnet } from '../shared/exchange/localnet.ts';

/** The price history as builds before mid-2024 keep it, and as later ones do: its length, and where it names its pool. */
const OBSERVATION_FORMS = [
  { bytes: 52_121, poolAt: 9 },
  { bytes: 4_483, poolAt: 19 },
] as const;
type ObservationForm = (typeof OBSERVATION_FORMS)[number];

/** Puts a fixture's accounts on the chain, with what the program itself needs beside what prices depend on. */
export function plantClmm(chain: Localnet, fixture: PoolFixture, form = formAtHand()): void {
  const observation = new AccountBytes(form.bytes)
    .bytes(0, accountDiscriminator('ObservationState'))
    .address(form.poolAt, fixture.id);
  for (const [key, account] of fixture.accounts) chain.set(key, account);
  chain.set(OBSERVATION, observation.ownedBy(CLMM_PROGRAM));
  fixture.mints.forEach((mint, index) => {
    chain.setMint(mint);
    chain.set(VAULTS[index === 0 ? 0 : 1], buildTokenAccount(mint, fixture.id, 2n ** 60n));
  });
}

let known: ObservationForm | undefined;
/** The form that the build at hand takes in a swap. Throws its last error where it takes neither. */
function formAtHand(): ObservationForm {
  let error: string | null = null;
  known ??= OBSERVATION_FORMS.find((form) => {
    error = trySwap(form);
    return error === null;
  });
  if (known === undefined) throw new Error(`the CLMM program at hand takes no swap: ${error}`);
  return known;
}

function trySwap(form: ObservationForm): string | null {
  const chain = createLocalnet([CLMM_PROGRAM]);
  const fixture = buildClmm();
  chain.setUnixSeconds(1_790_000_000n);
  plantClmm(chain, fixture, form);
  const amountIn = 1_000_000n;
  const [source, destination] = [fixture.mints[0], fixture.mints[1]].map((mint) =>
    fundTrader(chain, mint, amountIn),
  ) as [never, never];
  const ends = { owner: chain.trader, source, destination, mintIn: fixture.mints[0].mint };
  return chain.run(poolOf(raydiumClmm, fixture).swap({ ...ends, amountIn, amountOut: 1n, minOut: 1n }));
}
