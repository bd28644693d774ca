/** Games with points: the cost and payout of a round, and how it is checked. Never a promise of winning. */
export const enGames = {
  'btn.games': 'Games',
  'btn.coin': 'Coin guess',
  'btn.wheel': 'Daily wheel',
  'btn.heads': 'Heads',
  'btn.tails': 'Tails',
  'btn.other_stake': 'Other stake',
  'btn.play_again': 'Play again',
  'btn.fair': 'How it is checked',
  'btn.check_round': 'Check this round',
  'ask.stake': '{min} to {max}',

  'games.coming': 'Games are not open here yet. Your points stay.',
  'games.title':
    '<b>Games</b> · you have {points} points\nFor fun: on average the house keeps {edge} of every stake. Nothing here is worth money.',
  'coin.title': '<b>Coin guess</b> · you have {points} points',
  'coin.rule':
    'Stake {stake}: a right guess pays {win}, a wrong one nothing. House edge {edge}.\nStakes {min} to {max} in steps of {step}, at most {day} per UTC day (today {today}).',
  'coin.ask_stake': 'How many points do you stake? {min} to {max}, in steps of {step}.',
  'wheel.title': '<b>Daily wheel</b> · you have {points} points',
  'wheel.rule':
    'Stake {stake}, once per UTC day. {sectors} sectors pay: {pays}.\nHouse edge {edge}. How far do you turn it?',
  'wheel.played': 'You have turned it today. The next time is after midnight UTC.',
  'game.commitment':
    'Round {round}\nCommitment {commitment}\nThe seed behind it is fixed already; you see it after your choice and can check it.',
  'game.heads': 'heads',
  'game.tails': 'tails',
  'coin.won': '<b>{face}.</b> You guessed it: {payout} points for your {stake}.',
  'coin.lost': '<b>{face}.</b> You guessed {guess}: your {stake} points are gone.',
  'wheel.won': '<b>{payout} points</b> for your {stake}: sector {sector}, after your turn of {turn}.',
  'wheel.lost':
    '<b>Nothing this time.</b> Sector {sector}, after your turn of {turn}; your {stake} points are gone.',
  'game.revealed': 'Round {round}\nSeed {seed}\nCommitment {commitment}',
  'game.balance': 'You have {points} points.',
  'games.fair':
    '<b>How a round is checked</b>\nBefore your choice you see a commitment: the SHA-256 of “rules:round:seed”. After it you see the seed. Hash it yourself; if it is not the commitment, we cheated.\n\nThe last byte of the seed, divided by the number of sectors, leaves the roll; your choice is taken away from it, and the rest is the sector that counts. For any seed that we picked, each of your choices meets another sector, so we cannot pick one that is bad for all of them.\n\nAn open bet is always settled, by itself if need be. One thing no commitment can show: that we took your bet at all.',

  'err.stake': 'Expected {min} to {max} points, in steps of {step}. No points were taken.',
  'err.stake_fixed': 'The stake is {points} points. No other is taken.',
  'err.stakes_used':
    'That is more than today’s limit of {max} points leaves: {left}. More after midnight UTC. No points were taken.',
} as const;
