/**
 * The e-mail tools of the workspace and travel suites. Mails are listed in the order in which they came in.
 */
import type { CalendarEvent, Email, Parts } from '../environment.js';
import { readEvent } from '../environment.js';
import { pythonRepr } from '../python-repr.js';
import { emailAddresses } from './email-address.js';
import type { Call, Implementation } from './implementation.js';
import { nextId } from './next-id.js';
import { ToolError, valueError } from './tool-error.js';

export const inbox: Readonly<Record<string, Implementation>> = {
  send_email(call) {
    const list = (name: string) => (call.has(name) ? call.texts(name) : []);
    return sendMail(call.part('inbox'), call.now, {
      recipients: list('recipients'),
      cc: list('cc'),
      bcc: list('bcc'),
      subject: call.text('subject'),
      body: call.text('body'),
      attachments: attachments(call),
    });
  },
  delete_email(call) {
    const { emails, trash } = call.part('inbox');
    const id = call.text('email_id');
    const email = emails.get(id);
    if (email === undefined) throw valueError(`Email with ID '${id}' not found.`);
    emails.delete(id);
    trash.set(id, email);
    return `Email with id ${id} deleted successfully.`;
  },
  get_unread_emails(call) {
    const unread = emails(call).filter((email) => !email.read);
    for (const email of unread) email.read = true;
    return unread;
  },
  get_sent_emails: (call) => emails(call).filter((email) => email.status === 'sent'),
  get_received_emails: (call) => emails(call).filter((email) => email.status === 'received'),
  get_draft_emails: (call) => emails(call).filter((email) => email.status === 'draft'),
  search_emails(call) {
    const query = call.text('query').toLowerCase();
    const sender = call.has('sender') ? call.text('sender') : undefined;
    const found = emails(call).filter(
      (email) =>
        (sender === undefined || email.sender === sender) &&
        (email.subject.toLowerCase().includes(query) || email.body.toLowerCase().includes(query)),
    );
    if (found.length === 0) throw valueError('No emails found. Try with a different query.');
    return found;
  },
  search_contacts_by_name: (call) => searchContacts(call, 'name'),
  search_contacts_by_email: (call) => searchContacts(call, 'email'),
};

export type Draft = Pick<Email, 'recipients' | 'cc' | 'bcc' | 'subject' | 'body' | 'attachments'>;

/** Puts a sent mail into the inbox. */
export function sendMail(box: Parts['inbox'], now: string, draft: Draft): Email {
  const email: Email = {
    id_: nextId(box.emails),
    sender: box.account_email,
    ...draft,
    recipients: emailAddresses('Email', 'recipients', draft.recipients),
    cc: emailAddresses('Email', 'cc', draft.cc),
    bcc: emailAddresses('Email', 'bcc', draft.bcc),
    status: 'sent',
    read: true,
    timestamp: now,
  };
  box.emails.set(email.id_, email);
  return email;
}

function emails(call: Call): Email[] {
  return [...call.part('inbox').emails.values()];
}

function searchContacts(call: Call, field: 'name' | 'email'): unknown {
  const query = call.text('query');
  const found = call
    .part('inbox')
    .contact_list.filter((contact) => contact[field].toLowerCase().includes(query.toLowerCase()));
  if (found.length === 0) throw valueError(`Contact with ${field} '${query}' not found.`);
  return found;
}

function attachments(call: Call): Email['attachments'] {
  const value = call.value('attachments');
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw valueError('Attachments must be dictionaries.');
  return value.map(attachment);
}

function attachment(item: unknown): string | CalendarEvent {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw valueError('Attachments must be dictionaries.');
  }
  if (!('type' in item)) throw valueError("Attachment must have a 'type' field.");
  if (item.type === 'file') {
    if (!('file_id' in item)) throw valueError("Attachment of type 'file' must have a 'file_id' field.");
    if (typeof item.file_id === 'string') return item.file_id;
    throw new ToolError('ValidationError', `file_id must be a string, not ${pythonRepr(item.file_id)}`);
  }
  if (item.type === 'event') {
    const event = 'event_details' in item ? readEvent(withDefaults(item.event_details)) : undefined;
    if (event !== undefined) return event;
    throw new ToolError('ValidationError', 'event_details is not a calendar event');
  }
  throw valueError("Attachment type must be 'file' or 'event'.");
}

/** Event details as a model writes them may leave out what every event has. */
function withDefaults(details: unknown): unknown {
  return typeof details === 'object' && details !== null
    ? {
        id_: '',
        description: '',
        location: null,
        participants: [],
        all_day: false,
        status: 'confirmed',
        ...details,
      }
    : details;
}
