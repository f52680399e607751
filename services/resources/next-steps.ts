/**
 * What a person can do about a job. Each step of an explanation has one of these kinds, for programs, and a sentence.
 */

export const NEXT_STEPS = {
  wait: 'Wait.',
  release: 'Release the job.',
  start_computer: 'Switch computer {computer} on and check its network.',
  enrol_again: 'Enrol computer {computer} again: Add a computer in the dashboard has the command.',
  resume_computer: 'Resume computer {computer} in the dashboard.',
  change_destination: 'Change the printers of the destination.',
  enable_destination: 'Enable the destination.',
  run_doctor: 'Run `platen-agent doctor` on computer {computer}.',
  check_agent: 'Check the version and the log of the agent on computer {computer}.',
  enable_printer: 'Enable printer {printer}.',
  check_printer: 'Check printer {printer}: power, paper, cover, messages on its display.',
  resume_queue:
    'Resume queue {queue} in the printer settings of computer {computer}, or by `cupsenable {queue}` on Linux and macOS.',
  check_queue: 'Check printer {printer} in the operating system of computer {computer}.',
  check_paper: 'Check for the paper at printer {printer} first.',
  check_trays: 'If there is no paper, check the output trays of printer {printer}.',
  free_space: 'Free disk space on computer {computer}.',
  open_job: 'Look at the job at the head of the queue.',
  print_elsewhere: 'Print on another printer.',
  print_again: 'Print the job again.',
  send_again: 'Send the document again in a new job.',
  check_document: 'Check the document, and send it in a new job.',
  check_url: 'Check the URL and its server.',
  set_language: 'If printer {printer} speaks ZPL or ESC/POS, set its language on its page in the dashboard.',
  check_options: 'Correct the print options, and print the job again.',
  ask_operator: 'Ask the operator of the service to check the document store.',
} as const

export type NextStep = keyof typeof NEXT_STEPS
