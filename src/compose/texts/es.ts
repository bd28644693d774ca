import { esSwitches } from '../../engine/switches/texts.es.ts';
import { esAlerts } from '../../modules/alerts/texts.es.ts';
import { esAutoBuy } from '../../modules/auto-buy/texts.es.ts';
import { esCopying } from '../../modules/copying/texts.es.ts';
import { esFollows } from '../../modules/follows/texts.es.ts';
import { esGames } from '../../modules/games/texts.es.ts';
import { esGroups } from '../../modules/groups/texts.es.ts';
import { esSpending } from '../../modules/guard/spending-texts.es.ts';
import { esGuard } from '../../modules/guard/texts.es.ts';
import { esKeys } from '../../modules/keys/texts.es.ts';
import { esLaunches } from '../../modules/launches/texts.es.ts';
import { esChart } from '../../modules/market/texts.es.ts';
import { esMint } from '../../modules/mint/powers-texts.es.ts';
import { esCreate } from '../../modules/mint/texts.es.ts';
import { esOrders } from '../../modules/orders/texts.es.ts';
import { esPaper } from '../../modules/paper/texts.es.ts';
import { esPersonalKeys } from '../../modules/personal-keys/texts.es.ts';
import { esPoints } from '../../modules/points/texts.es.ts';
import { esPositions } from '../../modules/positions/texts.es.ts';
import { esReferral } from '../../modules/referrals/texts.es.ts';
import { esHelp } from '../../modules/settings/texts.es.ts';
import { esSearch } from '../../modules/tokens/texts.es.ts';
import { esTrade } from '../../modules/trading/texts.es.ts';
import { esHome } from '../../modules/wallets/texts.es.ts';
import type { Catalogue } from './catalogue.ts';
import { esErrors } from './es-errors.ts';
import { esShell } from './es-shell.ts';

/** Español, completo: una prueba nombra cada texto que falte. */
export const es = {
  ...esErrors,
  ...esGuard,
  ...esHelp,
  ...esHome,
  ...esChart,
  ...esSearch,
  ...esPaper,
  ...esSwitches,
  ...esOrders,
  ...esAlerts,
  ...esFollows,
  ...esGroups,
  ...esLaunches,
  ...esCopying,
  ...esPersonalKeys,
  ...esAutoBuy,
  ...esSpending,
  ...esMint,
  ...esCreate,
  ...esPoints,
  ...esPositions,
  ...esGames,
  ...esKeys,
  ...esReferral,
  ...esTrade,
  ...esShell,
  'btn.create_wallet': 'Create Deposit Wallet',
  'page.of': ' · pág. {page}/{pages}',
  'btn.home': 'Inicio',
  'btn.back': 'Atrás',
  'btn.cancel': 'Cancelar',
  'btn.refresh': 'Actualizar',
  'btn.help': 'Ayuda',
  'btn.language': 'Idioma',
  'btn.trade': 'Comprar o vender',
  'btn.withdraw_held': 'Retirar',
  'btn.wallets_plain': 'Carteras',
  'btn.wallets': 'Carteras ({count}/{max})',
  'btn.deposit': 'Depositar',
  'btn.withdraw_sol': 'Retirar SOL',
  'btn.withdraw_token': 'Retirar token',
  'btn.referral': 'Referidos',
  'btn.settings': 'Ajustes',
  'btn.switch': 'Usar esta',
  'btn.rename': 'Renombrar',
  'btn.delete': 'Borrar',
  'btn.delete_yes': 'Borrar la cartera',
  'btn.tokens': 'Tokens',
  'btn.deleted': 'Borradas ({count})',
  'btn.restore': 'Restaurar {name}',
  'btn.copy_address': 'Copiar dirección',
  'btn.copy_mint': 'Copiar su dirección',
  'btn.copy_link': 'Copiar enlace',
  'btn.check_balance': 'Ver saldo',
  'btn.faucet': 'Recibir {sol} SOL de juego',
  'btn.follow_telegram': 'Como en Telegram',

  'toast.stale': 'Este botón es antiguo. Aquí tienes una pantalla nueva.',
  'toast.slow_down': 'Un poco más despacio: espera dos segundos.',
  'toast.stopped': 'Detenido.',
  'toast.stopped_forgotten': 'Detenido. Su dirección se olvidó: un retiro hacia ella espera de nuevo.',
  'toast.wallet_ready': 'Tu cartera de depósito está lista.',
  'toast.wallet_exists': 'Ya la tienes.',
  'toast.switched': '{name} es ahora la activa.',
  'toast.restored': '{name} está de vuelta.',
  'toast.saved': 'Guardado.',

  'cmd.start': 'Empezar',
  'cmd.home': 'Menú principal',
  'cmd.referral': 'Invita y gana SOL',
  'cmd.trade': 'Comprar o vender un token',
  'cmd.deposit': 'Tu dirección de depósito',
  'cmd.withdraw_sol': 'Retirar SOL',
  'cmd.withdraw_spl': 'Retirar un token',
  'cmd.create_token': 'Crear un token',
  'cmd.setting': 'Ajustes',
  'cmd.cancel': 'Detener lo que está en curso',
  'cmd.help': 'Guías y ayuda',
  'profile.short': 'Compra y vende tokens de Solana con una cartera de depósito que guarda este servicio.',
  'profile.description':
    'Una mesa de trading de Solana autoalojada: compra y vende tokens con una cartera de depósito que guarda este servicio. Lo hecho en la cadena no se puede deshacer. El equipo nunca escribe primero ni pide claves.',

  'start.welcome':
    'Te damos la bienvenida a <b>{bot}</b>: compra, vende y lanza tokens de Solana aquí mismo en el chat, por el {fee} de cada operación más la comisión de la red; la cartera y los depósitos no cuestan nada.\n\n• Tu cartera de depósito la guarda este servicio.\n• Lo que se hace en la cadena no se puede deshacer.\n• No se hace copia de seguridad de las carteras de depósito.\n• El equipo nunca escribe primero ni pide claves o PIN.',
  'start.inviter': 'Te invitó: {code} (vinculado).',
  'start.no_inviter': 'Sin invitación vinculada.',
  'start.created':
    '<b>Tu cartera de depósito está lista.</b>\n{address}\n\nEnvíale SOL: desde aquí se pagan las operaciones y las comisiones de red.',
  'locked.text':
    'Primero un paso: crea tu cartera de depósito. Tarda un segundo y no cuesta nada.\n\nLo que se hace en la cadena no se puede deshacer. Este servicio no hace copia de seguridad de las carteras.',

  'wallets.title': '<b>Carteras ({count}/{max})</b>',
  'wallets.row': '{mark} {name}{origin} {funds}',
  'wallets.imported': ' · importada',
  'wallets.imported_hint':
    'Importada: quien te dio esta clave también la tiene. Aquí no llegan depósitos ni pagos.',
  'wallets.confirm_waits': 'Confirmada: desde las {at} pueden llegar aquí depósitos y pagos.',
  'wallets.payout_here': 'Los pagos llegan aquí.',
  'wallets.payout_waits': 'Los pagos llegan aquí desde las {at}.',
  'wallets.confirm_pin':
    '<b>¿Dejar que {name} reciba?</b>\nQuien te dio esta clave también la tiene y puede llevarse lo que llegue. Cuenta después de {time}, y recibes un aviso con un botón que lo detiene.\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'wallets.confirm_pin_now':
    '<b>¿Dejar que {name} reciba?</b>\nQuien te dio esta clave también la tiene y puede llevarse lo que llegue.\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'wallets.payout_pin':
    '<b>¿Pagos a {name}?</b>\n{address}\nCuenta después de {time}, y recibes un aviso con un botón que lo detiene.\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'wallets.payout_pin_now':
    '<b>¿Pagos a {name}?</b>\n{address}\n\nEscribe tu PIN. Tu mensaje se borra al momento.',
  'btn.let_receive': 'Dejar que reciba',
  'btn.payouts_here': 'Pagos aquí',
  'wallets.funds': '{sol}{usd} · {tokens}',
  'wallets.unknown': 'saldo n/a',
  'wallets.detail': '<b>{name}</b>{active}{origin}\n{address}',
  'wallets.active': ' · activa',
  'wallets.renamed': 'Ahora se llama <b>{name}</b>.',
  'wallets.ask_name': 'Un nombre nuevo para <b>{name}</b>: de 1 a {max} caracteres.',
  'ask.wallet_name': 'Nombre nuevo',
  'wallets.delete_empty':
    '¿Borrar <b>{name}</b>? Está vacía. Puedes restaurarla hasta {until}, y después solo mientras tenga algo.\n{address}',
  'wallets.delete_full':
    '<b>{name}</b> aún tiene {sol} y {tokens}.\n{address}\n\nMejor retira primero. Borrada, se puede restaurar en cualquier momento mientras tenga algo, y si está vacía hasta {until}. Para borrarla de todos modos, escribe su nombre: {typed}',
  'wallets.delete_mismatch': 'Ese no es su nombre. Escribe {typed} tal cual, o /cancel.',
  'ask.delete_name': 'Escribe el nombre de la cartera',
  'wallets.deleted_title':
    '<b>Carteras borradas</b>\nUna vacía se puede restaurar durante {days} días; una que tiene algo, en cualquier momento.',
  'wallets.deleted_row': '{name} · {address} · {until}',
  'wallets.until': 'hasta {day}',
  'wallets.any_time': 'en cualquier momento',
  'wallets.delete_pin':
    '<b>Borrar {name}</b>\nTiene algo, así que hace falta tu PIN. Tu mensaje se borra al momento.',
  'wallets.deleted_none': 'No hay ninguna cartera que restaurar.',
  'wallets.gone':
    '<b>{name}</b> está borrada. En Carteras → Borradas puedes restaurarla hasta {until}, y en cualquier momento mientras tenga algo.',
  'tokens.title': '<b>Tokens en {name}</b> · {count}{page}',
  'tokens.none': 'Aún no hay tokens aquí.',

  'deposit.caption':
    'Envía solo SOL o tokens de Solana a <b>{name}</b>:\n{address}\nMínimo {minimum}. Paga las comisiones de red.\nEste servicio no hace copia de seguridad de las carteras.',
  'deposit.instead':
    '{wanted} es importada: quien te dio esta clave también la tiene. Por eso los depósitos van a {name}.',
  'deposit.imported_only':
    '{name} es importada: quien te dio esta clave también la tiene, así que su dirección no es para depósitos.\nCrea una cartera aquí: su clave nunca estuvo en otro sitio.',
  'deposit.play': 'Esta es una cadena local con dinero de juego: nada aquí tiene valor.',

  'cancel.stopped': 'Detenido. No se envió nada.',
  'cancel.nothing': 'No hay nada que detener.',
  'setting.language_title': '<b>Idioma</b>',
  'text.unknown':
    'No lo he entendido. Envíame el nombre, el símbolo o la dirección de un token, o elige abajo.',
  'text.not_words':
    'Solo leo palabras. Envíame el nombre, el símbolo o la dirección de un token, o elige abajo.',
  'borrowed.forwarded': 'Ese mensaje es reenviado.',
  'borrowed.quoted': 'Ese mensaje cita otro.',
  'borrowed.by-bot': 'Otro bot escribió ese mensaje.',
  'borrowed.command': '{why} Un {command} que no escribiste aquí no hace nada por sí solo. {effect}',
  'borrowed.effect.panic': 'Toca abajo para congelarlo todo.',
  'borrowed.effect.cancel': 'Toca abajo para detener tu orden más reciente.',
  'btn.call_off': 'Detener',
  'text.unknown_command': 'No existe el comando {command}. Lo que puedo hacer:\n\n{list}',
  'text.unknown_command_near':
    'No existe el comando {command}. ¿Querías decir {meant}?\n\nLo que puedo hacer:\n{list}',
  'text.either': '{first} o {second}',
} as const satisfies Catalogue;
