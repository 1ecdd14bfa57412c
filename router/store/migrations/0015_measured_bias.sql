-- Position bias is measured unless it is set. Configurations are stored whole, so that 1.0 stands in those that never named it.
update banks set config = config || '{"position_bias_eta": null}' where config -> 'position_bias_eta' = '1.0';
