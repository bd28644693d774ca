/** The chain and the database of the local world belong together: one without the other would show balances that are not there. */
export const RESET_HINT = 'Start afresh with: npm run reset';
