/** Refusals: the fault and its mend. One to two sentences each. */
export const enErrors = {
  'err.address':
    '“{given}” is not a Solana address. Expected 32 to 44 letters and digits, without 0, O, I and l.',
  'err.amount_nan': '“{given}” is not an amount. Expected a plain number such as 0.5 or 0,5.',
  'err.amount_ambiguous': '“{given}” can be read in two ways. Write {whole} or {point}, without the comma.',
  'err.amount_negative': 'An amount cannot be negative. Expected a plain number such as 0.5.',
  'err.amount_zero': 'The amount must be more than zero.',
  'err.amount_decimals': '“{given}” has too many decimals: at most {decimals} here.',
  'err.amount_large': '“{given}” is larger than any amount there is. Please check it.',
  'err.percent_large': '“{given}” is more than the whole. A part is at most 100%.',
  'err.text': 'The name of a wallet must have {min} to {max} characters.',
  'err.bps': 'The {field} must be between {min} and {max}.',
  'err.user': 'I do not know you yet. Please send /start.',
  'err.wallet_required': 'Create your deposit wallet first.',
  'err.wallet_not_found': 'That wallet is not there any more.',
  'err.wallet_limit': 'You have all {max} wallets already. Delete one first.',
  'err.wallet_name': 'Another of your wallets is called {name}. Please choose another name.',
  'err.name_reserved_look-alike':
    '{name} looks like {like}, another wallet of yours. Please choose a name that differs more.',
  'err.name_reserved_deleted':
    '{name} looks like {like}, a wallet that you deleted less than {days} days ago. Please choose another name.',
  'err.name_reserved_renamed':
    '{name} looks like {like}, the name that another wallet of yours had less than {days} days ago. Please choose another name.',
  'err.name_reserved_imported':
    '{name} looks like {like}, and no imported wallet may be called that. Please choose another name.',
  'err.wallet_not_empty':
    '{name} still holds {sol} and {tokens}. Withdraw first, or type its name to delete it all the same.',
  'err.wallet_busy': '{name} still has transactions under way ({count}). Please wait until they are final.',
  'err.wallet_active': '{name} is your active wallet. Switch to another one first.',
  'err.lamports':
    'Not enough SOL: {needed} needed ({amount} + {fees} for fees and account deposits), {available} there.',
  'err.most': 'Possible now: {most} or less.',
  'err.tokens': 'Not enough tokens: {needed} needed, {available} there.',
  'err.tokens_apart':
    'Your {together} lie in several token accounts, and one sale takes from one of them. Type {available} or less, then sell the rest.',
  'err.rent_left':
    'That would leave {left} in the wallet, and the network allows 0 or at least {minimum}. Withdraw up to {max_amount}, or everything with max.',
  'err.rent_all':
    'That would leave {left} in the wallet, and the network allows 0 or at least {minimum}. Withdraw everything with max.',
  'err.rent_deposit':
    'That would leave {left} in the wallet, and the network allows 0 or at least {minimum}. Deposit {missing} first.',
  'err.rent_recipient':
    'The recipient would hold {would_hold}, and the network refuses accounts below {minimum}. Please send more.',
  'err.self': 'That is this same wallet. Please give another address.',
  'err.is_mint': 'That is the address of a token, not of a wallet. Anything sent there is lost.',
  'err.is_token_account': 'That is a token account. Send to its owner instead: {owner}',
  'err.is_program': 'That is a program, not a wallet. Anything sent there is lost.',
  'err.off_curve': 'That address belongs to a program, so no key opens it. Please give a wallet address.',
  'err.recipient_other_owner':
    'The recipient’s account of this token has another owner now, so the recipient would not get the tokens. Ask for another address.',
  'err.recipient_frozen': 'The token’s issuer froze the recipient’s account: nothing can be sent to it.',
  'err.recipient_frozen_new':
    'New accounts of this token are frozen until its issuer opens them, and the recipient has none yet. Nothing can be sent.',
  'err.recipient_memo':
    'The recipient’s account takes only transfers with a note of its own, as exchanges ask for, and ours carry none there. Ask for another address.',
  'err.recipient_private':
    'The recipient’s account takes only confidential transfers of this token. Ask for another address.',
  'err.token_not_found': 'No token found at that address. Please check it, or paste the mint address.',
  'err.token_unnamed': 'No token named “{text}” is known here. Send a name, $TICKER, address or link.',
  'err.token_account_not_mint': 'That is an account that holds a token. The token itself is {mint}',
  'err.token_paused': 'This token is paused by its issuer: nothing of it can be sent or traded now.',
  'err.token_hook':
    'Each transfer of this token runs a program of its issuer, which this desk cannot call: it cannot be sent or traded here.',
  'err.token_frozen':
    'The issuer froze this wallet’s account of the token: nothing can be bought into it or leave it.',
  'err.token_forbidden': 'This token cannot be transferred: its author forbade it.',
  'err.same_token': 'That is SOL itself: trades are paid in it. Send another token’s address.',
  'err.no_route': 'No exchange trades this pair right now.',
  'err.searching': 'Looking for where this token trades… Ask again in a few seconds.',
  'err.venues_unreachable':
    'No exchange that answered trades this pair, and these could not be asked: {venues}. Please try again in a moment.',
  'err.liquidity': 'The exchanges do not hold enough for this amount. Please try a smaller one.',
  'err.above_depth': 'The exchanges take at most {maximum} at once.',
  'err.route_too_large': 'The way to this token does not fit one transaction. Please try another pair.',
  'err.dust': 'That is so little that nothing would come back. Please try more.',
  'err.dust_minimum': 'That is too little. Try at least {minimum}.',
  'err.impact':
    'This trade would move the price by {impact}, and above {max} it is not done. Please try a smaller amount.',
  'err.moved': 'The price moved. Nothing was swapped and nothing was sent.',
  'err.simulation': 'The network would refuse this transaction, so it was not sent. Please get a new quote.',
  'err.policy':
    'The safety rules refused to sign this: {rule}. Nothing was sent. Please tell the operator the id and that word.',
  'err.switched_off': '{pause} Nothing was sent. Your funds are untouched.',
  'err.paused': 'The operator paused this for now. Nothing was sent. Your funds are untouched.',
  'err.meta_long':
    'The {field} is too long: at most {max} plain letters. An accent counts as 2, most emoji as 4.',
  'err.meta_link': 'The {field} is not a link. Expected a whole address like https://example.org.',
  'err.meta_many': 'Too many {field}: at most {max}, with commas between them.',
  'err.meta_control': 'The {field} holds invisible characters. Please type it anew.',
  'err.public_url':
    'This desk has no public address to keep descriptions and pictures at. Give your own metadata link, or ask the operator to set one.',
  'err.launchpad': 'That launchpad takes no launches here at the moment. Please choose another one.',
  'err.metadata_full':
    'There is no room for more pictures at the moment. Use a picture link of your own, or none.',
  'err.pinning':
    'The file storage did not answer. Nothing was created and nothing was paid. Please try again.',
  'err.picture_format': 'That is not a picture I can take. Please send a JPEG, PNG, WebP or GIF.',
  'err.picture_broken': 'That picture is damaged. Please send another one.',
  'err.picture_pixels': 'That picture has too many pixels. Please send a smaller one.',
  'err.picture_large': 'That picture is too large. At most {max} MB, please.',
  'err.intent': 'That transaction was not found.',
  'err.stale': 'This button is old or was used already.',
  'err.referral': 'Open your referral account first: /referral',
  'err.chain': 'The network does not answer just now. Nothing was sent. Please try again in a moment.',
  'err.send_unknown': 'Result not known yet. Do not repeat it: we are checking and will tell you here.',
  'err.storage':
    'The service cannot reach its records just now. Nothing was sent. Please try again in a moment.',
  'err.no_orders': 'We cannot take orders at the moment. Nothing of yours was changed.',
  'err.row':
    'A stored record cannot be read. Nothing was signed and nothing is lost; the operator has a message about it.',
  'err.row_forged':
    'We stopped: a record of your account is not as the service wrote it. Nothing moves, and the operator has a message about it.',
  'err.journal':
    'The service cannot write down what it signs, so it signs nothing. Nothing was sent. Please tell the operator the id.',
  'err.fenced':
    'We are checking our books after a fault. Nothing is signed until then. Your money is where it was.',
  'err.undecided':
    'An earlier try of this is not decided yet. Nothing else is signed until it is. The answer will appear here.',
  'err.too_old': 'This request is more than {days} days old and is not signed any more. Please ask anew.',
  'err.keys':
    'The service cannot open its key store just now. Nothing was sent. Please tell the operator the id.',
  'err.config': 'The service is not set up completely. Please tell the operator the id.',
} as const;
