/** The failures that concern the configuration: its objects, its documents, and the database that has it. */
export const administrationErrorCodes = {
  entity_unknown: { title: 'There is no such object', remedy: 'List the objects of this kind.' },
  entity_exists: { title: 'The name is taken', remedy: 'Choose another name, or change the object that has it.' },
  entity_in_use: { title: 'The object is in use', remedy: 'Change what `errors` names first.' },
  entity_owned: {
    title: 'A configuration source owns the object, or it is built in',
    remedy: 'As `detail` says: change it where it belongs, unless it is built in.',
  },
  plan_unknown: { title: 'There is no such plan', remedy: 'Plan again: a plan is kept for a day.' },
  plan_outdated: {
    title: 'The configuration has changed since the plan was made',
    remedy: 'Plan again, and look at what `errors` names.',
  },
  configuration_too_large: {
    title: 'The configuration takes too much',
    remedy: 'Divide it among several sources, or have the limits raised that `detail` names.',
  },
  configuration_invalid: { title: 'The configuration is not valid', remedy: 'Correct what `errors` names.' },
  database_mismatch: {
    title: 'The database is of another release',
    remedy: 'Start the release that the database was migrated for, or migrate it for this one.',
  },
} as const;
