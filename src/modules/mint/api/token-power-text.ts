import type { TokenPower, TokenPowerCode } from '../rules/token-powers.ts';
import type { CreationWarning } from '../use/prepare-creation.ts';

const POWERS: Readonly<Record<TokenPowerCode, string>> = {
  TAKE_OR_BURN: 'may take or burn the tokens of any holder at any time',
  BORN_FROZEN: 'must thaw every new holder, whose account starts frozen',
  FREEZE: 'may freeze the tokens of any holder',
  MINT_MORE: 'may mint more tokens',
  CHANGE_TRANSFER_FEE: 'may change the fee of every transfer, up to 100 %',
  COLLECT_TRANSFER_FEE: 'collects the fees of transfers',
  CHANGE_INTEREST: 'may change the interest that balances show',
  CLOSE_MINT: 'may close the mint once no units are left',
  CHANGE_METADATA: 'may change name, symbol and URI',
  NON_TRANSFERABLE: 'nobody can ever send or sell it',
};

export const powerText = ({ code }: TokenPower): string => POWERS[code];

export function warningText(warning: CreationWarning): string {
  return warning.code === 'NO_METADATA_PROGRAM'
    ? 'this cluster has no metadata program: name, symbol and URI of a "token" do not stand on the chain; "token2022" keeps them'
    : `the symbol can be mistaken for that of ${warning.mint}`;
}
