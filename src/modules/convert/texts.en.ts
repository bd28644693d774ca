/** Points for a share of a fixed budget. Gives the known facts and promises nothing. */
export const enConvert = {
  'btn.convert': 'Convert',
  'btn.watch_convert': 'Tell me when it opens',
  'btn.enter_convert': 'Give points',
  'btn.give_points': 'Give {points} points',
  'ask.convert': 'Points, like 500, max or 50%',

  'convert.closed': 'Convert is announced and not open yet. Your points stay.',
  'convert.title': '<b>Convert, period {number}</b>',
  'convert.rule':
    'A fixed budget of {budget} is shared by the points that are given, pro rata and rounded down; the remainder stays with the service. Given points are locked until the end and come back if the period is cancelled.',
  'convert.dates': 'Opens {from}, ends {until}.',
  'convert.state': 'Given so far {total}, by you {own}. That would be {share} if no more were given.',
  'convert.settling': 'The period has ended and is being settled. Shares are paid to your deposit wallet.',
  'convert.have': 'You have {points} points.',
  'convert.watching': 'You will get a message when it opens.',
  'convert.last_paid': 'Period {number}: your {points} points brought {sol}.',
  'convert.last_back': 'Period {number}: your {points} points came back.',
  'convert.ask':
    'How many points do you give? At least {min}; you have {points}. A number, max, or a share like 50%.',
  'convert.confirm':
    '<b>Give {points} points in period {number}?</b>\nThey are locked until {until}. With the sum of now they would bring about {share}; every point that others give makes it less. This cannot be undone.',
  'convert.done': '<b>Done.</b> {points} points are in period {number} until {until}.',
  'toast.watching': 'You will get a message.',
  'toast.entered_before': 'Already pressed, or too old. No more points were taken.',

  'notice.convert_open': 'Convert is open: points can be given for a share of a fixed budget.',
  'notice.convert_paid':
    'Convert, period {number}: your {points} points brought {sol}. It is paid to your deposit wallet as soon as the wallet can receive it.',
  'notice.convert_back': 'Convert, period {number}: your {points} points came back.',

  'err.convert_closed': 'Convert takes no points now. No points were taken.',
  'err.convert_minimum': 'At least {min} points at once, please. No points were taken.',
} as const;
