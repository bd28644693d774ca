import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Juegos con puntos y conversión: lo que cuesta, lo que paga y cómo se comprueba. */
export const esGames = {
  'btn.games': 'Juegos',
  'btn.coin': 'Cara o cruz',
  'btn.wheel': 'Rueda diaria',
  'btn.heads': 'Cara',
  'btn.tails': 'Cruz',
  'btn.other_stake': 'Otra apuesta',
  'btn.play_again': 'Jugar otra vez',
  'btn.fair': 'Cómo se comprueba',
  'btn.check_round': 'Comprobar esta ronda',
  'ask.stake': 'De {min} a {max}',

  'games.coming': 'Los juegos aún no están abiertos aquí. Tus puntos se quedan.',
  'games.title':
    '<b>Juegos</b> · tienes {points} puntos\nPor diversión: de media la casa se queda con el {edge} de cada apuesta. Nada de esto vale dinero.',
  'coin.title': '<b>Cara o cruz</b> · tienes {points} puntos',
  'coin.rule':
    'Apuesta {stake}: acertar paga {win}, fallar nada. Ventaja de la casa {edge}.\nApuestas de {min} a {max} en pasos de {step}, como mucho {day} por día UTC (hoy {today}).',
  'coin.ask_stake': '¿Cuántos puntos apuestas? De {min} a {max}, en pasos de {step}.',
  'wheel.title': '<b>Rueda diaria</b> · tienes {points} puntos',
  'wheel.rule':
    'Apuesta {stake}, una vez por día UTC. {sectors} sectores pagan: {pays}.\nVentaja de la casa {edge}. ¿Cuánto la giras?',
  'wheel.played': 'Hoy ya la has girado. La próxima vez es después de la medianoche UTC.',
  'game.commitment':
    'Ronda {round}\nCompromiso {commitment}\nLa semilla detrás ya está fijada; la ves después de elegir y puedes comprobarla.',
  'game.heads': 'cara',
  'game.tails': 'cruz',
  'coin.won': '<b>{face}.</b> Acertaste: {payout} puntos por tus {stake}.',
  'coin.lost': '<b>{face}.</b> Dijiste {guess}: tus {stake} puntos se han ido.',
  'wheel.won': '<b>{payout} puntos</b> por tus {stake}: sector {sector}, tras tu giro de {turn}.',
  'wheel.lost':
    '<b>Esta vez nada.</b> Sector {sector}, tras tu giro de {turn}; tus {stake} puntos se han ido.',
  'game.revealed': 'Ronda {round}\nSemilla {seed}\nCompromiso {commitment}',
  'game.balance': 'Tienes {points} puntos.',
  'games.fair':
    '<b>Cómo se comprueba una ronda</b>\nAntes de elegir ves un compromiso: el SHA-256 de «reglas:ronda:semilla». Después ves la semilla. Calcula tú el hash; si no es el compromiso, hicimos trampa.\n\nEl último byte de la semilla, dividido por el número de sectores, deja un resto; se le quita tu elección, y lo que queda es el sector que cuenta. Sea cual sea la semilla que elegimos, cada elección tuya da con otro sector: no podemos elegir una que sea mala para todas.\n\nUna apuesta hecha siempre se resuelve, sola si hace falta. Lo que ningún compromiso puede mostrar: que aceptáramos tu apuesta.',
  'err.stake': 'Se esperan de {min} a {max} puntos, en pasos de {step}. No se tomaron puntos.',
  'err.stake_fixed': 'La apuesta es de {points} puntos. No se acepta otra.',
  'err.stakes_used':
    'Es más de lo que queda hoy del límite de {max} puntos: {left}. Más después de la medianoche UTC. No se tomaron puntos.',

  'btn.convert': 'Convertir',
  'btn.watch_convert': 'Avísame cuando abra',
  'btn.enter_convert': 'Dar puntos',
  'btn.give_points': 'Dar {points} puntos',
  'ask.convert': 'Puntos, como 500, max o 50%',
  'convert.closed': 'La conversión está anunciada y aún no abierta. Tus puntos se quedan.',
  'convert.title': '<b>Conversión, periodo {number}</b>',
  'convert.rule':
    'Un presupuesto fijo de {budget} se reparte entre los puntos dados, a prorrata y redondeado hacia abajo; lo que sobra queda en el servicio. Los puntos dados quedan bloqueados hasta el final y vuelven si el periodo se cancela.',
  'convert.dates': 'Abre {from}, acaba {until}.',
  'convert.state': 'Dados hasta ahora {total}, por ti {own}. Serían {share} si nadie diera más.',
  'convert.settling': 'El periodo acabó y se está liquidando. Las partes se pagan a tu cartera de depósito.',
  'convert.have': 'Tienes {points} puntos.',
  'convert.watching': 'Se te avisará cuando abra.',
  'convert.last_paid': 'Periodo {number}: tus {points} puntos trajeron {sol}.',
  'convert.last_back': 'Periodo {number}: tus {points} puntos volvieron.',
  'convert.ask':
    '¿Cuántos puntos das? Al menos {min}; tienes {points}. Un número, max, o una parte como 50%.',
  'convert.confirm':
    '<b>¿Dar {points} puntos en el periodo {number}?</b>\nQuedan bloqueados hasta {until}. Tal como está traerían unos {share}; cada punto que den otros lo hace menor. No se puede deshacer.',
  'convert.done': '<b>Hecho.</b> {points} puntos están en el periodo {number} hasta {until}.',
  'toast.watching': 'Se te avisará.',
  'toast.entered_before': 'Ya pulsado, o demasiado antiguo. No se tomaron más puntos.',
  'notice.convert_open':
    'La conversión está abierta: se pueden dar puntos por una parte de un presupuesto fijo.',
  'notice.convert_paid':
    'Conversión, periodo {number}: tus {points} puntos trajeron {sol}. Se paga a tu cartera de depósito en cuanto la cartera pueda recibirlo.',
  'notice.convert_back': 'Conversión, periodo {number}: tus {points} puntos volvieron.',
  'err.convert_closed': 'La conversión no toma puntos ahora. No se tomaron puntos.',
  'err.convert_minimum': 'Al menos {min} puntos de una vez, por favor. No se tomaron puntos.',
} as const satisfies Catalogue;
