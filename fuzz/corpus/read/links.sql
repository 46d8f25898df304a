INSERT INTO `pagelinks` VALUES (1,0,'A_b',0),(2,0,'it\'s',0);
