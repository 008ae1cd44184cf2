/** A policy that uses every part of the language, for tests that load, break or mutate it. */
export const example = `user: ann@office.example
aliases: [ann, "0042"]
directories: [members, staff]
objects:
  file: File
groups:
  board: [bob@office.example, cy@office.example]
types:
  Person:
    trusted: [id]
    untrusted: [name]
  Mail:
    readers: sender + recipients + board
    trusted: [id, sender, recipients]
    untrusted: [subject, body]
    fields:
      author: Person
  File:
    readers: owner + keys(shared)
    trusted: [owner, shared]
    untrusted: text
  Page: untrusted for everyone
tools:
  today(): trusted for everyone
  inbox(folder): Mail
  messages(channel): Mail or trusted for members(channel)
  fetch(url): trusted action -> Page
  erase(id): trusted action -> joined
  echo(text): as text
  send(recipients, subject, body, attachment):
    rule: trusted action or permitted flow
    trusted arguments: recipients
    sends: subject + body + attachment
    to: recipients + board
    objects: {attachment: file}
    returns: {like: Mail, as argument: [recipients, subject, body], untrusted: author.id, readers: joined, otherwise: trusted}
  share(file_id, with):
    rule: permitted flow
    sends: file(file_id)
    to: with
    links: allow
    returns: {like: File, fields: {text: as with}}
  notify(text): {rule: trusted action and permitted flow, sends: text, to: staff(), consequential: yes, egress: yes}
answer: {to: user + board}
profile: open
profiles:
  strict:
    types:
      Mail: {untrusted: [sender, author.id]}
    tools:
      today: untrusted
      erase: {trusted arguments: id}
      echo: {returns: joined}
    answer: {links: allow}
    groups: {board: [bob@office.example]}
`;
