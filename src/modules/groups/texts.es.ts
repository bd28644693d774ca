import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Grupos. */

export const esGroups = {
  'err.group_not_yours':
    'Solo quien creó el grupo puede cambiarlo, con su nombre visible y mientras yo sea miembro.',
  'groups.no_token': 'Ningún token tiene esa dirección',
  'groups.ask_scan': 'Envía /scan y la dirección de un token',
  'groups.later': 'La red no responde. Prueba más tarde',
  'groups.market': 'Liq {liquidity}{holders}{age}',
  'groups.holders': ' · {count} tenedores',
  'groups.holder_one': ' · 1 tenedor',
  'groups.no_market': 'Aquí no se puede comprar ahora',
  'groups.first_call': 'Primero: {name}, {price}',
  'groups.first_call_now': 'Primero: {name}, {price} · hoy {result}',
  'groups.someone': 'alguien',
  'groups.carries': 'Enlaces con el código de {name}',
  'groups.lb_title': '<b>Avisadores</b> · {days} d · por mediana',
  'groups.lb_row': '{rank} {name} <b>{result}</b> ({calls}) · máx. {best}',
  'groups.lb_none': 'Nadie tiene aún {least} avisos',
  'groups.lb_note': 'Cada uno: 1 SOL un slot después, vendido',
  'groups.lb_ask': 'Envía /lb o /lb 7d: de 1 a 30 días',
  'groups.forgotten': 'Tu nombre sale de {count} avisos aquí',
  'groups.settings': 'Los enlaces no llevan código',
  'groups.settings_how': 'Quien creó el grupo puede cambiarlo',
  'groups.own': '<b>{title}</b>',
  'groups.own_code_on': 'Los enlaces llevan tu código, y lo dicen',
  'groups.own_code_off': 'Los enlaces no llevan código',
  'groups.own_note': 'Quien llega por un enlace cuenta como tuyo',
  'btn.group_trade': 'Operar',
  'btn.group_chart': 'Gráfico',
  'btn.group_settings': 'Ajustes',
  'btn.group_code': 'Llevar mi código',
  'btn.group_language': '{language}',
} satisfies Catalogue;
