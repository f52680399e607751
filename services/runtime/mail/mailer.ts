/** E-mail to people: what is sent, and what a sender promises. */

/** A message for one person. */
export interface Mail {
  /** The same for each try: a mailbox that gets it twice can tell by its `Message-ID`. */
  id: string
  /** An address alone, without a name. */
  to: string
  /** One line; whatever it has of control characters does not reach a header. */
  subject: string
  /** Plain text, lines ended by `\n`. */
  text: string
}

export interface Mailer {
  /**
   * Hands a mail over, within 30 s or not at all. When it fails somebody tries again later: the mail may have gone out all the same.
   *
   * @throws MailFailure
   */
  send(mail: Mail): Promise<void>
}

/** A mail that may not have gone out. Its message has neither addresses nor credentials nor what the mail says. */
export class MailFailure extends Error {}
